#include "frontend_bridge/system/large_stack.h"

#include <pthread.h>

namespace heddle {

namespace {

void* run(void* argument) {
  (*static_cast<const std::function<void()>*>(argument))();
  return nullptr;
}

}  // namespace

bool on_large_stack(size_t bytes, const sigset_t& blocked, const std::function<void()>& f) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  // The thread has this one's signals. (glibc's attribute for them crashes where there is no memory.)
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  // Only what is used of the stack becomes memory.
  const bool started = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                       pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&f)) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

}  // namespace heddle
