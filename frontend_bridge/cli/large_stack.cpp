#include "frontend_bridge/cli/large_stack.h"

#include <pthread.h>

#include <csignal>

#include "frontend_bridge/futhark/nesting.h"

namespace heddle::cli {

namespace {

struct Call {
  const std::function<int()>& f;
  sigset_t signals;  // that are blocked
  int result;
};

void* run(void* argument) {
  auto* call = static_cast<Call*>(argument);
  pthread_sigmask(SIG_SETMASK, &call->signals, nullptr);
  call->result = call->f();
  return nullptr;
}

}  // namespace

int on_large_stack(const std::function<int()>& f) {
  Call call{f, {}, 0};
  // This thread only waits: all signals go to the other one, which now and then must not be interrupted.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &call.signals);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  // Only what is used becomes memory.
  bool started = pthread_attr_setstacksize(&attributes, futhark::kStackForAll) == 0 &&
                 pthread_create(&thread, &attributes, run, &call) == 0;
  pthread_attr_destroy(&attributes);
  if (started) {
    pthread_join(thread, nullptr);
  } else {
    run(&call);
  }
  return call.result;
}

}  // namespace heddle::cli
