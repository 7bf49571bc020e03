#include "frontend_bridge/system/large_stack.h"

#include <pthread.h>

namespace heddle {

namespace {

struct Call {
  const std::function<void()>& f;
  const sigset_t& blocked;
};

void* run(void* argument) {
  const auto* call = static_cast<const Call*>(argument);
  pthread_sigmask(SIG_SETMASK, &call->blocked, nullptr);
  call->f();
  return nullptr;
}

}  // namespace

bool on_large_stack(size_t bytes, const sigset_t& blocked, const std::function<void()>& f) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  // The thread begins with this one's signals, and takes none until it has its own: nor does this one take for a moment what is
  // blocked here, since a handler would then run beside `f`. (glibc's attribute for them crashes where there is no memory.)
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Call call{f, blocked};
  // Only what is used of the stack becomes memory.
  const bool started =
      pthread_attr_setstacksize(&attributes, bytes) == 0 && pthread_create(&thread, &attributes, run, &call) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

}  // namespace heddle
