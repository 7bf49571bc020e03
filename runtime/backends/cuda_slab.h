// Memory for single elements: several lie in one allocation of the driver, so that one copy reads them all.
#ifndef HD_CUDA_SLAB_H
#define HD_CUDA_SLAB_H

#include "runtime/core/program.h"

enum { HD_SLAB_PARTS = 64, HD_SLAB_PART_BYTES = 8, HD_SLAB_BYTES = HD_SLAB_PARTS * HD_SLAB_PART_BYTES };

struct hd_cuda_slab {
  uint64_t address;
  uint64_t used;  // a bit for each part
  struct hd_cuda_slab* next;
};

// A part of one of the slabs, which is then used; 0 if none is left.
HD_API uint64_t hd_cuda_slab_take(struct hd_cuda_slab* slabs);
// The slab that an address is in; NULL if none.
HD_API struct hd_cuda_slab* hd_cuda_slab_of(struct hd_cuda_slab* slabs, uint64_t address);
// The part is free again. True if the slab has no other, and has been taken out of the list.
HD_API bool hd_cuda_slab_give(struct hd_cuda_slab** slabs, struct hd_cuda_slab* slab, uint64_t address);

#endif
