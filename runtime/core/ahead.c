#include "runtime/core/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/core/context.h"
#include "runtime/core/launch.h"

// One copy takes as long for so many bytes as for one element. Of larger windows half is behind the element, since loops go both ways.
enum { HD_AHEAD_FIRST = 4096, HD_AHEAD_MOST = 1 << 20, HD_AHEAD_PATIENCE = 2 };

static void hd_ahead_begin(struct hd_ahead_copy* a, const char* block) {
  a->block = block;
  a->size = a->next = 0;
  a->elements = 0;
}

HD_API void hd_ahead_forget(struct hd_context* ctx) {
  for (int i = 0; i < HD_AHEAD_COPIES; i++) hd_ahead_begin(&ctx->ahead.copies[i], NULL);
}

HD_API void hd_ahead_overwritten(struct hd_context* ctx, const void* device, int64_t bytes) {
  for (int i = 0; i < HD_AHEAD_COPIES; i++) {
    struct hd_ahead_copy* a = &ctx->ahead.copies[i];
    const int64_t from = (const char*)device - a->begin;
    if (a->size > 0 && from < a->size && from + bytes > 0) hd_ahead_begin(a, NULL);
  }
}

HD_API void hd_ahead_written(struct hd_context* ctx, const void* device, const void* host, int64_t bytes) {
  for (int i = 0; i < HD_AHEAD_COPIES; i++) {
    struct hd_ahead_copy* a = &ctx->ahead.copies[i];
    int64_t from = (const char*)device - a->begin, at = from < 0 ? 0 : from;
    int64_t end = from + bytes < a->size ? from + bytes : a->size;
    if (a->size > 0 && at < end) memcpy(a->copy + at, (const char*)host + (at - from), (size_t)(end - at));
  }
}

// That of the block, or of the one of which nothing has been read for longest.
static struct hd_ahead_copy* hd_ahead_of(struct hd_ahead* ahead, const char* block) {
  struct hd_ahead_copy* a = &ahead->copies[0];
  for (int i = 0; i < HD_AHEAD_COPIES && a->block != block; i++) {
    struct hd_ahead_copy* other = &ahead->copies[i];
    if (other->block == block || other->last_read < a->last_read) a = other;
  }
  if (a->block != block) hd_ahead_begin(a, block);
  a->last_read = ++ahead->reads;
  return a;
}

static bool hd_ahead_has(struct hd_ahead_copy* a, const void* element, int64_t bytes, void* value) {
  if (a->size == 0 || (const char*)element < a->begin) return false;
  int64_t at = (const char*)element - a->begin;
  if (at > a->size - bytes) return false;
  memcpy(value, a->copy + at, (size_t)bytes);
  a->used = true;
  return true;
}

// How many bytes to read with an element that is not there.
static int64_t hd_ahead_next(struct hd_ahead_copy* a) {
  if (a->next == 0) return a->elements++ < HD_AHEAD_PATIENCE ? 0 : (a->next = HD_AHEAD_FIRST);
  if (a->next > 0) a->next = !a->used ? -1 : a->next < HD_AHEAD_MOST ? 4 * a->next : HD_AHEAD_MOST;
  return a->next;
}

static bool hd_ahead_has_room(struct hd_ahead_copy* a, int64_t bytes) {
  if (bytes <= a->room) return true;
  char* copy = realloc(a->copy, (size_t)bytes);
  if (copy == NULL) return false;
  a->copy = copy;
  a->room = bytes;
  return true;
}

HD_API int hd_ahead_read(struct hd_context* ctx, const struct hd_mem* mem, const void* element, int64_t bytes,
                         void* value, bool* is_read) {
  struct hd_ahead_copy* a = hd_ahead_of(&ctx->ahead, mem->address);
  *is_read = ctx->error == NULL && hd_ahead_has(a, element, bytes, value);
  if (*is_read) return HD_SUCCESS;
  int64_t size = hd_ahead_next(a);
  if (size > mem->size) size = mem->size;
  a->size = 0;
  if (size <= bytes || !hd_ahead_has_room(a, size)) return HD_SUCCESS;
  const char* first = mem->address;
  int64_t at = (const char*)element - first - size / 2;
  if (at > mem->size - size) at = mem->size - size;
  a->begin = first + (at < 0 ? 0 : at);
  int status = hd_fetch(ctx, &(struct hd_read){a->copy, a->begin, size}, 1);
  if (status != HD_SUCCESS) return status;
  a->size = size;
  *is_read = hd_ahead_has(a, element, bytes, value);
  a->used = false;
  return HD_SUCCESS;
}

HD_API void hd_ahead_free(struct hd_context* ctx) {
  for (int i = 0; i < HD_AHEAD_COPIES; i++) free(ctx->ahead.copies[i].copy);
  ctx->ahead = (struct hd_ahead){0};
}
