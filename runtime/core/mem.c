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

// The smallest free block that is large enough and at least half used; -1 if there is none.
static int hd_mem_best_fit(const struct hd_mem_pool* pool, int64_t capacity, bool for_host) {
  int best = -1;
  for (int i = 0; i < pool->num_free; i++) {
    int64_t has = pool->free[i].capacity;
    if (pool->free[i].for_host != for_host || has < capacity || has / 2 > capacity) continue;
    if (best < 0 || has < pool->free[best].capacity) best = i;
  }
  return best;
}

HD_API void hd_mem_trim(struct hd_context* ctx) {
  struct hd_mem_pool* pool = &ctx->pool;
  for (int i = 0; i < pool->num_free; i++) {
    ctx->backend->free(ctx, pool->free[i].address);
    pool->obtained -= pool->free[i].capacity;
  }
  pool->num_free = 0;
}

static int hd_mem_obtain(struct hd_context* ctx, struct hd_free_block* block) {
  int64_t limit = ctx->config->memory_limit;
  if (limit > 0 && (block->capacity > limit || ctx->pool.obtained > limit - block->capacity)) return HD_ERROR_MEMORY;
  int status = ctx->backend->alloc(ctx, block->capacity, block->for_host, &block->address);
  if (status == HD_SUCCESS) ctx->pool.obtained += block->capacity;
  return status;
}

static int hd_mem_full(struct hd_context* ctx, int64_t bytes) {
  return hd_memory_error(ctx,
                         "Failed to allocate memory in space 'device'.\n"
                         "Attempted allocation: %12" PRId64 " bytes\nCurrently allocated:  %12" PRId64 " bytes\n",
                         bytes, ctx->pool.in_use);
}

// A block as `block` says, from the free list, or else from the device; `reused` says which.
static int hd_mem_provide(struct hd_context* ctx, struct hd_free_block* block, bool* reused) {
  struct hd_mem_pool* pool = &ctx->pool;
  int found = hd_mem_best_fit(pool, block->capacity, block->for_host);
  *reused = found >= 0;
  if (*reused) {
    *block = pool->free[found];
    pool->free[found] = pool->free[--pool->num_free];
    return HD_SUCCESS;
  }
  int status = hd_mem_obtain(ctx, block);
  if (status != HD_ERROR_MEMORY || pool->num_free == 0) return status;
  hd_mem_trim(ctx);
  return hd_mem_obtain(ctx, block);
}

// Puts a block on the free list.
static void hd_mem_keep(struct hd_context* ctx, const struct hd_free_block* block) {
  struct hd_mem_pool* pool = &ctx->pool;
  if (pool->num_free == pool->max_free) {
    int max_free = 2 * pool->max_free + 32;
    struct hd_free_block* blocks = realloc(pool->free, (size_t)max_free * sizeof *blocks);
    if (blocks != NULL) {
      pool->free = blocks;
      pool->max_free = max_free;
    }
  }
  if (pool->num_free < pool->max_free) {
    pool->free[pool->num_free++] = *block;
  } else {
    ctx->backend->free(ctx, block->address);
    pool->obtained -= block->capacity;
  }
}

HD_API bool hd_mem_has_room(struct hd_context* ctx, int64_t bytes) {
  bool reused;
  if (ctx->device == NULL || bytes < 0 || bytes > INT64_MAX - (1 << 20)) return false;
  struct hd_free_block block = {.capacity = hd_mem_capacity(bytes)};
  if (hd_mem_provide(ctx, &block, &reused) != HD_SUCCESS) return false;
  hd_mem_keep(ctx, &block);
  return true;
}

static int hd_mem_make(struct hd_context* ctx, struct hd_mem** mem, int64_t bytes, bool for_host) {
  *mem = NULL;
  struct hd_mem_pool* pool = &ctx->pool;
  if (ctx->device == NULL) return hd_error(ctx, "There is no device to allocate memory on.");
  if (bytes < 0 || bytes > INT64_MAX - (1 << 20)) return hd_mem_full(ctx, bytes);
  struct hd_mem* fresh = malloc(sizeof *fresh);
  if (fresh == NULL) return hd_memory_error(ctx, "Out of host memory.");
  struct hd_free_block block = {.capacity = hd_mem_capacity(bytes), .for_host = for_host};
  bool reused;
  int status = hd_mem_provide(ctx, &block, &reused);
  if (status != HD_SUCCESS) {
    free(fresh);
    return status == HD_ERROR_MEMORY ? hd_mem_full(ctx, bytes) : status;
  }
  *fresh = (struct hd_mem){
      .references = 1, .address = block.address, .size = bytes, .capacity = block.capacity, .for_host = for_host};
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
  hd_mem_keep(ctx, &(struct hd_free_block){mem->address, mem->capacity, mem->for_host});
  free(mem);
}
