#include "runtime/core/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/backend.h"

// Rounding sizes up lets blocks of nearly the same size stand in for each other. Single elements may be together somewhere.
static int64_t hd_mem_capacity(int64_t bytes) {
  if (bytes > 0 && bytes <= 8) return 8;
  int64_t unit = bytes < 1 << 20 ? 256 : 1 << 16;
  return bytes == 0 ? unit : (bytes + unit - 1) / unit * unit;
}

// The smallest free block that is large enough and at least half used, of those the one freed last; -1 if there is none.
static int hd_mem_best_fit(const struct hd_mem_pool* pool, int64_t capacity, bool for_host) {
  int best = -1;
  for (int i = pool->num_free - 1; i >= 0; i--) {
    int64_t has = pool->free[i]->capacity;
    if (pool->free[i]->for_host != for_host || has < capacity || has / 2 > capacity) continue;
    if (has == capacity) return i;
    if (best < 0 || has < pool->free[best]->capacity) best = i;
  }
  return best;
}

// Gives a block that nobody uses back to the device.
static void hd_mem_give_back(struct hd_context* ctx, struct hd_mem* mem) {
  ctx->backend->free(ctx, mem->address);
  ctx->pool.obtained -= mem->capacity;
  free(mem);
}

HD_API void hd_mem_trim(struct hd_context* ctx) {
  struct hd_mem_pool* pool = &ctx->pool;
  for (int i = 0; i < pool->num_free; i++) hd_mem_give_back(ctx, pool->free[i]);
  pool->num_free = 0;
}

// Fresh memory of the device for `mem`, whose capacity is set.
static int hd_mem_obtain(struct hd_context* ctx, struct hd_mem* mem) {
  int64_t limit = ctx->config->memory_limit;
  if (limit > 0 && (mem->capacity > limit || ctx->pool.obtained > limit - mem->capacity)) return HD_ERROR_MEMORY;
  int status = ctx->backend->alloc(ctx, mem->capacity, mem->for_host, &mem->address);
  if (status == HD_SUCCESS) ctx->pool.obtained += mem->capacity;
  return status;
}

static int hd_mem_full(struct hd_context* ctx, int64_t bytes) {
  return hd_memory_error(ctx,
                         "Failed to allocate memory in space 'device'.\n"
                         "Attempted allocation: %12" PRId64 " bytes\nCurrently allocated:  %12" PRId64 " bytes\n",
                         bytes, ctx->pool.in_use);
}

// A block of no use yet, from the free list, or else from the device; `reused` says which.
static int hd_mem_provide(struct hd_context* ctx, struct hd_mem** mem, int64_t capacity, bool for_host, bool* reused) {
  struct hd_mem_pool* pool = &ctx->pool;
  int found = hd_mem_best_fit(pool, capacity, for_host);
  *reused = found >= 0;
  if (*reused) {
    *mem = pool->free[found];
    pool->free[found] = pool->free[--pool->num_free];
    return HD_SUCCESS;
  }
  struct hd_mem* fresh = malloc(sizeof *fresh);
  if (fresh == NULL) return HD_ERROR_MEMORY;
  *fresh = (struct hd_mem){.capacity = capacity, .for_host = for_host};
  int status = hd_mem_obtain(ctx, fresh);
  if (status == HD_ERROR_MEMORY && pool->num_free > 0) {
    hd_mem_trim(ctx);
    status = hd_mem_obtain(ctx, fresh);
  }
  if (status != HD_SUCCESS) {
    free(fresh);
    return status;
  }
  *mem = fresh;
  return HD_SUCCESS;
}

// Puts a block on the free list.
static void hd_mem_keep(struct hd_context* ctx, struct hd_mem* mem) {
  struct hd_mem_pool* pool = &ctx->pool;
  if (pool->num_free == pool->max_free) {
    int max_free = 2 * pool->max_free + 32;
    struct hd_mem** blocks = realloc(pool->free, (size_t)max_free * sizeof(struct hd_mem*));
    if (blocks != NULL) {
      pool->free = blocks;
      pool->max_free = max_free;
    }
  }
  if (pool->num_free < pool->max_free) {
    pool->free[pool->num_free++] = mem;
  } else {
    hd_mem_give_back(ctx, mem);
  }
}

HD_API bool hd_mem_has_room(struct hd_context* ctx, int64_t bytes) {
  bool reused;
  struct hd_mem* mem;
  if (ctx->device == NULL || bytes < 0 || bytes > INT64_MAX - (1 << 20)) return false;
  if (hd_mem_provide(ctx, &mem, hd_mem_capacity(bytes), false, &reused) != HD_SUCCESS) return false;
  hd_mem_keep(ctx, mem);
  return true;
}

static int hd_mem_make(struct hd_context* ctx, struct hd_mem** mem, int64_t bytes, bool for_host) {
  *mem = NULL;
  struct hd_mem_pool* pool = &ctx->pool;
  if (ctx->device == NULL) return hd_error(ctx, "There is no device to allocate memory on.");
  if (bytes < 0 || bytes > INT64_MAX - (1 << 20)) return hd_mem_full(ctx, bytes);
  bool reused;
  struct hd_mem* fresh;
  int status = hd_mem_provide(ctx, &fresh, hd_mem_capacity(bytes), for_host, &reused);
  if (status != HD_SUCCESS) return status == HD_ERROR_MEMORY ? hd_mem_full(ctx, bytes) : status;
  fresh->references = 1;
  fresh->size = bytes;
#ifdef HD_DEBUG
  // Uninitialised reads become loud.
  if (ctx->program->backend == HD_BACKEND_CPU) memset(fresh->address, 0xA5, (size_t)fresh->capacity);
#endif
  pool->in_use += bytes;
  if (pool->in_use > pool->peak) pool->peak = pool->in_use;
  if (ctx->debugging) {
    fprintf(ctx->log, "Allocated %" PRId64 " bytes %s; now allocated: %" PRId64 " bytes.\n", bytes,
            reused ? "from the free list" : "on the device", pool->in_use);
  }
  *mem = fresh;
  return HD_SUCCESS;
}

HD_API int hd_mem_alloc(struct hd_context* ctx, struct hd_mem** mem, int64_t bytes) {
  return hd_mem_make(ctx, mem, bytes, false);
}

HD_API int hd_mem_alloc_for_host(struct hd_context* ctx, struct hd_mem** mem, int64_t bytes) {
  return hd_mem_make(ctx, mem, bytes, true);
}

HD_API int hd_mem_borrow(struct hd_context* ctx, struct hd_mem** mem, void* address, int64_t bytes) {
  *mem = malloc(sizeof **mem);
  if (*mem == NULL) return hd_memory_error(ctx, "Out of host memory.");
  **mem = (struct hd_mem){.references = 1, .address = address, .size = bytes, .capacity = bytes, .borrowed = true};
  return HD_SUCCESS;
}

HD_API void hd_mem_share(struct hd_mem* mem) {
  if (mem != NULL) mem->references++;
}

HD_API void hd_mem_release(struct hd_context* ctx, struct hd_mem* mem) {
  if (mem == NULL || --mem->references > 0) return;
  if (mem->borrowed) {
    free(mem);
    return;
  }
  ctx->pool.in_use -= mem->size;
  hd_mem_keep(ctx, mem);
}
