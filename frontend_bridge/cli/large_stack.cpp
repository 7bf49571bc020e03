#include "frontend_bridge/cli/large_stack.h"

#include <pthread.h>

#include "frontend_bridge/futhark/nesting.h"

namespace heddle::cli {

namespace {

struct Call {
  const std::function<int()>& f;
  int result;
};

void* run(void* argument) {
  auto* call = static_cast<Call*>(argument);
  call->result = call->f();
  return nullptr;
}

}  // namespace

int on_large_stack(const std::function<int()>& f) {
  Call call{f, 0};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  // Only what is used becomes memory.
  bool started = pthread_attr_setstacksize(&attributes, futhark::kStackForAll) == 0 &&
                 pthread_create(&thread, &attributes, run, &call) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return f();
  pthread_join(thread, nullptr);
  return call.result;
}

}  // namespace heddle::cli
