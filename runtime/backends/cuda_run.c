#include "runtime/backends/cuda_run.h"

#include "runtime/core/mem.h"

static struct hd_cuda_extent hd_cuda_extent_of(const struct hd_use* use) {
  const struct hd_mem* mem = use->array->mem;
  uintptr_t begin = mem != NULL ? (uintptr_t)mem->address : 0;
  return (struct hd_cuda_extent){begin, begin + (mem != NULL ? (uintptr_t)mem->size : 0), use->written};
}

static bool hd_cuda_run_meets(const struct hd_cuda_run* run, const struct hd_cuda_extent* extent) {
  for (int i = 0; i < run->num_extents; i++) {
    const struct hd_cuda_extent* other = &run->extents[i];
    if ((extent->written || other->written) && extent->begin < other->end && other->begin < extent->end) return true;
  }
  return false;
}

HD_API int32_t hd_cuda_run_go_on(struct hd_cuda_run* run, const struct hd_launch* launch, double share) {
  bool beside = run->open && run->share + share <= 1 && run->num_extents + launch->num_uses <= HD_MOST_EXTENTS;
  for (int i = 0; i < launch->num_uses && beside; i++) {
    const struct hd_cuda_extent extent = hd_cuda_extent_of(&launch->uses[i]);
    beside = !hd_cuda_run_meets(run, &extent);
  }
  if (!beside) {
    run->num_extents = 0;
    run->share = 0;
  }
  run->share += share;
  run->open = launch->beside_next && run->share < 1 && run->num_extents + launch->num_uses <= HD_MOST_EXTENTS;
  for (int i = 0; i < launch->num_uses && run->open; i++) {
    run->extents[run->num_extents++] = hd_cuda_extent_of(&launch->uses[i]);
  }
  return (beside ? HD_WAITS_LAST : 0) | (run->open ? HD_LETS_NEXT_BEGIN : 0);
}

HD_API void hd_cuda_run_end(struct hd_cuda_run* run) { run->open = false; }
