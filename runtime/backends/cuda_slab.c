#include "runtime/backends/cuda_slab.h"

#include <stddef.h>

HD_API uint64_t hd_cuda_slab_take(struct hd_cuda_slab* slabs) {
  for (; slabs != NULL; slabs = slabs->next) {
    if (slabs->used == UINT64_MAX) continue;
    int part = __builtin_ctzll(~slabs->used);
    slabs->used |= UINT64_C(1) << part;
    return slabs->address + (uint64_t)part * HD_SLAB_PART_BYTES;
  }
  return 0;
}

HD_API struct hd_cuda_slab* hd_cuda_slab_of(struct hd_cuda_slab* slabs, uint64_t address) {
  while (slabs != NULL && address - slabs->address >= HD_SLAB_BYTES) slabs = slabs->next;
  return slabs;
}

HD_API bool hd_cuda_slab_give(struct hd_cuda_slab** slabs, struct hd_cuda_slab* slab, uint64_t address) {
  slab->used &= ~(UINT64_C(1) << (address - slab->address) / HD_SLAB_PART_BYTES);
  if (slab->used != 0) return false;
  while (*slabs != slab) slabs = &(*slabs)->next;
  *slabs = slab->next;
  return true;
}
