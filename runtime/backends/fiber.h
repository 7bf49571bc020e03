// The threads of a block whose kernel has barriers: each on a stack of its own, run by one core in turn from barrier to
// barrier.
#ifndef HD_FIBER_H
#define HD_FIBER_H

#include "runtime/core/program.h"

// Stacks for up to `num_fibers` fibers; owned by one core.
struct hd_fiber_stacks {
  char* memory;
  int num_fibers;
};

// Runs all threads of block launch->first_block. 0, or an errno when there is no memory for the stacks.
HD_API int hd_run_block_in_fibers(struct hd_fiber_stacks* stacks, const struct hd_kernel* kernel,
                                  const struct hd_cpu_launch* launch, void** args);
HD_API void hd_fiber_stacks_free(struct hd_fiber_stacks* stacks);

// What a barrier in kernel text means on the CPU.
HD_API void hd_cpu_barrier(void);
// What a block does there from time to time while it waits for another, which may want its core.
HD_API void hd_cpu_give_way(void);

#endif
