#include "runtime/core/context.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/backend.h"

static int hd_set_error(struct hd_context* ctx, int status, const char* format, va_list args) {
  if (ctx->error != NULL) return status;
  struct hd_text text = {0};
  hd_text_add_args(&text, format, args);
  ctx->error = hd_text_take(&text);
  ctx->error_status = status;
  return status;
}

HD_API int hd_error(struct hd_context* ctx, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int status = hd_set_error(ctx, HD_ERROR_PROGRAM, format, args);
  va_end(args);
  return status;
}

HD_API int hd_memory_error(struct hd_context* ctx, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int status = hd_set_error(ctx, HD_ERROR_MEMORY, format, args);
  va_end(args);
  return status;
}

HD_API char* hd_context_take_error(struct hd_context* ctx) {
  char* error = ctx->error;
  ctx->error = NULL;
  return error;
}

HD_API void hd_context_set_log(struct hd_context* ctx, FILE* log) { ctx->log = log; }
HD_API void hd_context_pause_profiling(struct hd_context* ctx) { ctx->profiling_paused = true; }
HD_API void hd_context_unpause_profiling(struct hd_context* ctx) { ctx->profiling_paused = false; }

static int64_t hd_square_root(int64_t x) {
  int64_t root = 0;
  while ((root + 1) * (root + 1) <= x) root++;
  return root;
}

HD_API int64_t hd_param_max(struct hd_context* ctx, enum hd_tuning_class cls) {
  switch (cls) {
    case HD_TUNE_THREAD_BLOCK_SIZE:
      return ctx->limits.max_block_size;
    case HD_TUNE_GRID_SIZE:
      return ctx->limits.max_grid_size;
    case HD_TUNE_TILE_SIZE:
      return hd_square_root(ctx->limits.max_block_size);
    case HD_TUNE_SHARED_MEMORY:
      return ctx->limits.max_shared_memory;
    case HD_TUNE_REGISTERS:
      return ctx->limits.max_registers;
    case HD_TUNE_CACHE:
      return ctx->limits.max_cache;
    default:
      return INT64_MAX;
  }
}

static void hd_resolve_default(struct hd_context* ctx, enum hd_default which, const char* name, int64_t suggested,
                               int64_t max) {
  int64_t value = ctx->config->default_set[which] ? ctx->config->defaults[which] : suggested;
  if (value > max) {
    if (ctx->config->default_set[which]) {
      fprintf(stderr, "Note: Device limits default %s to %" PRId64 " (down from %" PRId64 ").\n", name, max, value);
    }
    value = max;
  }
  ctx->defaults[which] = value;
  if (ctx->logging) fprintf(ctx->log, "Default %s: %" PRId64 "\n", name, value);
}

static void hd_resolve_defaults(struct hd_context* ctx) {
  struct hd_limits* limits = &ctx->limits;
  const bool* set = ctx->config->default_set;
  const int64_t* chosen = ctx->config->defaults;
  // These three describe the device itself, as the user wants it seen.
  if (set[HD_DEFAULT_SHARED_MEMORY] && chosen[HD_DEFAULT_SHARED_MEMORY] < limits->max_shared_memory) {
    limits->max_shared_memory = chosen[HD_DEFAULT_SHARED_MEMORY];
  }
  if (set[HD_DEFAULT_REGISTERS]) limits->max_registers = chosen[HD_DEFAULT_REGISTERS];
  if (set[HD_DEFAULT_CACHE]) limits->max_cache = chosen[HD_DEFAULT_CACHE];
  hd_resolve_default(ctx, HD_DEFAULT_THREAD_BLOCK_SIZE, "block size", 256, limits->max_block_size);
  int64_t block_size = ctx->defaults[HD_DEFAULT_THREAD_BLOCK_SIZE];
  int64_t grid_size = limits->grid_threads / block_size;
  hd_resolve_default(ctx, HD_DEFAULT_GRID_SIZE, "grid size", grid_size > 0 ? grid_size : 1, limits->max_grid_size);
  hd_resolve_default(ctx, HD_DEFAULT_TILE_SIZE, "tile size", 32, hd_param_max(ctx, HD_TUNE_TILE_SIZE));
  hd_resolve_default(ctx, HD_DEFAULT_REG_TILE_SIZE, "register tile size", 2, INT64_MAX);
  hd_resolve_default(ctx, HD_DEFAULT_SHARED_MEMORY, "shared memory", limits->max_shared_memory,
                     limits->max_shared_memory);
  hd_resolve_default(ctx, HD_DEFAULT_REGISTERS, "registers", limits->max_registers, limits->max_registers);
  hd_resolve_default(ctx, HD_DEFAULT_CACHE, "cache", limits->max_cache, limits->max_cache);
  hd_resolve_default(ctx, HD_DEFAULT_THRESHOLD, "threshold", limits->enough_threads, INT64_MAX);
}

// The value that parameter i takes when the user asks for `wanted` (0 or less: nothing in particular).
static int64_t hd_resolve_param(struct hd_context* ctx, int i, int64_t wanted) {
  const struct hd_tuning_param* param = &ctx->program->params[i];
  int64_t value = wanted > 0 ? wanted : param->default_value;
  if (value <= 0) {
    switch (param->cls) {
      case HD_TUNE_THREAD_BLOCK_SIZE:
        value = ctx->defaults[HD_DEFAULT_THREAD_BLOCK_SIZE];
        break;
      case HD_TUNE_GRID_SIZE:
        value = ctx->defaults[HD_DEFAULT_GRID_SIZE];
        // Histograms hide the latency of their atomics with twice the threads, as in Futhark.
        if (strstr(param->name, ".seghist_") != NULL) value *= 2;
        break;
      case HD_TUNE_TILE_SIZE:
        value = ctx->defaults[HD_DEFAULT_TILE_SIZE];
        break;
      case HD_TUNE_REG_TILE_SIZE:
        value = ctx->defaults[HD_DEFAULT_REG_TILE_SIZE];
        break;
      case HD_TUNE_SHARED_MEMORY:
        value = ctx->defaults[HD_DEFAULT_SHARED_MEMORY];
        break;
      case HD_TUNE_REGISTERS:
        value = ctx->defaults[HD_DEFAULT_REGISTERS];
        break;
      case HD_TUNE_CACHE:
        value = ctx->defaults[HD_DEFAULT_CACHE];
        break;
      case HD_TUNE_THRESHOLD:
        value = ctx->defaults[HD_DEFAULT_THRESHOLD];
        break;
      case HD_TUNE_BESPOKE:
        break;
    }
  }
  int64_t max = hd_param_max(ctx, param->cls);
  if (wanted < 0) {
    fprintf(stderr, "Note: %s cannot be %" PRId64 ", and is as if nothing were said\n", param->name, wanted);
  }
  if (value > max) {
    if (wanted > 0) {
      fprintf(stderr, "Note: Device limits %s to %" PRId64 " (down from %" PRId64 ")\n", param->name, max, value);
    }
    value = max;
  }
  return value;
}

HD_API int hd_context_set_param(struct hd_context* ctx, const char* name, int64_t value) {
  for (int i = 0; i < ctx->program->num_params; i++) {
    if (strcmp(name, ctx->program->params[i].name) == 0) {
      ctx->params[i] = hd_resolve_param(ctx, i, value);
      return 0;
    }
  }
  return 1;
}

HD_API int hd_expect_no_failure(struct hd_context* ctx) {
  const struct hd_failure_record none = {.id = -1, .report = ctx->failure_report};
  ctx->failure_report->id = -1;
  return ctx->backend->copy(ctx, ctx->failure_address, &none, sizeof none, HD_TO_DEVICE);
}

HD_API void hd_forget_failures(struct hd_context* ctx) {
  if (ctx->device == NULL || ctx->backend->finish(ctx, NULL, 0) != HD_SUCCESS) return;
  if (ctx->failure_report->id >= 0) hd_expect_no_failure(ctx);
}

static int hd_context_open_device(struct hd_context* ctx) {
  ctx->backend = ctx->program->backend_ops();
  int status = ctx->backend->open(ctx);
  if (status != HD_SUCCESS) return status;
  hd_resolve_defaults(ctx);
  for (int i = 0; i < ctx->program->num_params; i++) ctx->params[i] = hd_resolve_param(ctx, i, ctx->config->params[i]);
  status = hd_mem_alloc(ctx, &ctx->failure_record, sizeof(struct hd_failure_record));
  if (status != HD_SUCCESS) return status;
  ctx->failure_address = ctx->failure_record->address;
  return hd_expect_no_failure(ctx);
}

static int hd_context_set_up(struct hd_context* ctx) {
  int status = hd_context_open_device(ctx);
  if (status != HD_SUCCESS) return status;
  if (ctx->program->init_constants != NULL) {
    status = ctx->program->init_constants(ctx, ctx->constants);
    if (status != HD_SUCCESS) return status;
  }
  return hd_sync(ctx);
}

HD_API struct hd_context* hd_context_new(const struct hd_config* config) {
  struct hd_context* ctx = calloc(1, sizeof *ctx);
  if (ctx == NULL) return NULL;
  ctx->program = config->program;
  ctx->config = config;
  ctx->debugging = config->debugging;
  ctx->logging = config->logging;
  ctx->profiling = config->profiling;
  ctx->log = stderr;
  ctx->params = calloc((size_t)config->program->num_params + 1, sizeof *ctx->params);
  ctx->constants = calloc((size_t)config->program->num_constants + 1, sizeof *ctx->constants);
  if (ctx->params == NULL || ctx->constants == NULL) {
    hd_context_free(ctx);
    return NULL;
  }
  ctx->ready = hd_context_set_up(ctx) == HD_SUCCESS;
  // A failure without words would look like success to callers that only ask for the message.
  if (!ctx->ready && ctx->error == NULL) hd_error(ctx, "The program could not be set up.");
  if (ctx->ready) hd_context_clear_caches(ctx);
  return ctx;
}

HD_API void hd_context_free(struct hd_context* ctx) {
  if (ctx == NULL) return;
  if (ctx->device != NULL) {
    hd_sync(ctx);
    for (int i = 0; i < ctx->program->num_constants; i++) {
      if (ctx->constants[i].is_array) hd_array_release(ctx, &ctx->constants[i].array);
    }
    hd_mem_release(ctx, ctx->failure_record);
    hd_events_forget(ctx);
    hd_mem_trim(ctx);
    ctx->backend->close(ctx);
  }
  free(ctx->pool.free);
  hd_ahead_free(ctx);
  free(ctx->constants);
  free(ctx->params);
  free(ctx->error);
  free(ctx);
}

HD_API char* hd_context_report(struct hd_context* ctx) {
  if (hd_sync(ctx) != HD_SUCCESS) return NULL;
  struct hd_text text = {0};
  hd_text_add(&text, "{\"memory\":{\"space 'device'\": %" PRId64 "},\"events\":[", ctx->pool.peak);
  int status = hd_events_report(ctx, &text);
  hd_text_add(&text, "]}");
  if (status == HD_SUCCESS) return hd_text_take(&text);
  hd_text_clear(&text);
  return NULL;
}

HD_API int hd_context_clear_caches(struct hd_context* ctx) {
  int status = hd_sync(ctx);
  if (ctx->device == NULL) return status;
  hd_mem_trim(ctx);
  ctx->pool.peak = ctx->pool.in_use;
  return status;
}
