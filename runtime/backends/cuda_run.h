// Kernels at the same time in one stream: a run of launches of which none needs anything of another.
#ifndef HD_CUDA_RUN_H
#define HD_CUDA_RUN_H

#include "runtime/core/context.h"

enum { HD_MOST_EXTENTS = 64 };

struct hd_cuda_extent {
  uintptr_t begin, end;
  bool written;
};

struct hd_cuda_run {
  bool open;     // the latest launch lets the next begin, and nothing was queued since
  double share;  // of the device, that the run's kernels take
  int num_extents;
  struct hd_cuda_extent extents[HD_MOST_EXTENTS];  // all memory that the run's kernels use
};

// What the kernel of a launch is told, as enum hd_order: it comes beside those of the run if it touches no memory that one of them writes,
// nor one of them what it writes, and begins a new run otherwise. What the compiler says of names does not do: memory that was given back
// since may have become another array's. `share` is how much of the device its blocks take, 1 being all of it: only what leaves room has
// anything to gain, and kernels that fill the device lose by others' blocks among theirs.
HD_API int32_t hd_cuda_run_go_on(struct hd_cuda_run* run, const struct hd_launch* launch, double share);
// Something else is queued.
HD_API void hd_cuda_run_end(struct hd_cuda_run* run);

#endif
