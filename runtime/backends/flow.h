// A flow of control with a stack of its own, to be left and resumed.
#ifndef HD_FLOW_H
#define HD_FLOW_H

#include "runtime/core/program.h"

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

struct hd_flow {
#if defined(__x86_64__)
  void* stack_pointer;  // while it is not running
#else
  ucontext_t registers;
#endif
};

// Prepares a flow that will call `body` when it is first switched to. `body` must not return.
HD_API void hd_flow_prepare(struct hd_flow* flow, char* stack, size_t bytes, void (*body)(void));
// Leaves the running flow, which is kept in `from`, for `to`.
HD_API void hd_flow_switch(struct hd_flow* from, struct hd_flow* to);

#endif
