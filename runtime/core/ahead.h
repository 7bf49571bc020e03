// Elements that the host has read before it was asked for them. A loop of the host that reads one element after the other, while nothing
// changes the device's memory but copies to elsewhere, waits for the device a few times instead of for each: from the third of such elements on those around it
// come with it, and more of them each time that some were used.
#ifndef HD_AHEAD_H
#define HD_AHEAD_H

#include "runtime/core/mem.h"

// Of one block of memory.
struct hd_ahead_copy {
  const char* block;  // none: the copy is of nothing
  char* copy;         // of `size` bytes at `begin` on the device
  const char* begin;
  int64_t size, room;
  int64_t next;  // bytes to read when an element is not among them; less than none: those that were read were of no use
  int elements;  // that were read since the device's memory has changed
  bool used;     // some of the copy
  int64_t last_read;  // the number of the read that was the last of this block
};

// Steps of loops read several arrays in turns.
enum { HD_AHEAD_COPIES = 6 };
struct hd_ahead {
  struct hd_ahead_copy copies[HD_AHEAD_COPIES];
  int64_t reads;
};

// The device's memory may change from here on in ways that are not known.
HD_API void hd_ahead_forget(struct hd_context* ctx);
// ... or changes here alone.
HD_API void hd_ahead_overwritten(struct hd_context* ctx, const void* device, int64_t bytes);
// ... and has changed here, to this.
HD_API void hd_ahead_written(struct hd_context* ctx, const void* device, const void* host, int64_t bytes);
// Reads an element in `mem`, which lies in the device's own memory, if it has been read before or those around it are to come with it; else it is still
// to be fetched. Profiles see what is copied, and nothing where the element is there.
HD_API int hd_ahead_read(struct hd_context* ctx, const struct hd_mem* mem, const void* element, int64_t bytes,
                         void* value, bool* is_read);
HD_API void hd_ahead_free(struct hd_context* ctx);

#endif
