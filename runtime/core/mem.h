// Reference-counted blocks of device memory, and the list of those that wait to be used again.
#ifndef HD_MEM_H
#define HD_MEM_H

#include "runtime/core/program.h"

struct hd_mem {
  int64_t references;
  void* address;
  int64_t size;      // bytes asked for
  int64_t capacity;  // bytes obtained
  bool for_host;     // where the host reads it, too
  bool borrowed;     // the address is someone else's to free
};

struct hd_mem_pool {
  struct hd_mem** free;  // without references
  int num_free;
  int max_free;
  int64_t in_use;    // bytes asked for by living blocks
  int64_t peak;      // of in_use
  int64_t obtained;  // bytes held from the device, free ones included
};

// A block with one reference. `bytes` may be 0. HD_ERROR_MEMORY, saying how much was wanted and is in use, when the
// device has no room even after all free blocks were given back.
HD_API int hd_mem_alloc(struct hd_context* ctx, struct hd_mem** mem, int64_t bytes);
// The same for an element that the host reads by itself once the device is done, while kernels reach it slowly.
HD_API int hd_mem_alloc_for_host(struct hd_context* ctx, struct hd_mem** mem, int64_t bytes);
// Whether a block of so many bytes can be had now.
HD_API bool hd_mem_has_room(struct hd_context* ctx, int64_t bytes);
// A block with one reference around memory that must live as long as it and is not freed with it.
HD_API int hd_mem_borrow(struct hd_context* ctx, struct hd_mem** mem, void* address, int64_t bytes);
HD_API void hd_mem_share(struct hd_mem* mem);                            // NULL is fine
HD_API void hd_mem_release(struct hd_context* ctx, struct hd_mem* mem);  // NULL is fine
HD_API void hd_mem_trim(struct hd_context* ctx);                         // gives all free blocks back to the device

#endif
