// The state of a running program: the device, its memory, the tuning parameters in force, the log and the first error.
#ifndef HD_CONTEXT_H
#define HD_CONTEXT_H

#include <stdio.h>

#include "runtime/core/ahead.h"
#include "runtime/core/config.h"
#include "runtime/core/events.h"
#include "runtime/core/launch.h"
#include "runtime/core/mem.h"

struct hd_variant_table;

// What the device allows, and suggests where the user says nothing.
struct hd_limits {
  int64_t max_block_size;
  int64_t max_grid_size;
  int64_t max_shared_memory;  // bytes per block
  int64_t max_registers;      // per block
  int64_t max_cache;          // bytes
  int64_t grid_threads;       // threads that fill the device
  int64_t enough_threads;     // with so many, what each does need not be shared out among more
  int warp_size;
};

struct hd_context {
  const struct hd_program* program;
  const struct hd_config* config;
  const struct hd_backend_ops* backend;
  void* device;  // the backend's own state; NULL until it is open
  bool ready;    // the program's constants exist, entry points may run
  bool debugging;
  bool logging;
  bool profiling;
  bool profiling_paused;
  bool
      reaches_arrays;  // their memory is the host's, and nobody wants to know of copies; while the device is open. Elements are no events.
  struct hd_limits limits;
  int64_t defaults[HD_NUM_DEFAULTS];
  int64_t* params;  // values in force, one per hd_program.params
  FILE* log;
  char* error;  // the first since the last was taken
  int error_status;
  struct hd_mem_pool pool;
  struct hd_ahead ahead;
  struct hd_mem* failure_record;
  void* failure_address;
  struct hd_failure_report* failure_report;  // the backend's; to be looked at when all that was queued is done
  struct hd_constituent* constants;          // num_constants of them
  struct hd_event_list events;
  struct hd_variant_table* variants;  // NULL until one is asked for
};

// Whether the memory of arrays is the host's, and nothing is in the way of reading what kernels left there.
static inline __attribute__((always_inline, unused)) bool hd_host_reaches_arrays(const struct hd_context* ctx) {
  return ctx->reaches_arrays && ctx->error == NULL && ctx->failure_report->id < 0;
}
// For a processor's host, before it reads elements where they are: as what waits for the device, without a call where nothing failed.
static inline __attribute__((always_inline, unused)) int hd_see_failures(struct hd_context* ctx) {
  return ctx->error == NULL && ctx->failure_report->id < 0 ? HD_SUCCESS : hd_sync(ctx);
}

// Never NULL unless host memory ran out. When anything else goes wrong, hd_context_take_error tells, and every call
// that could touch the device fails. The configuration must outlive the context.
HD_API struct hd_context* hd_context_new(const struct hd_config* config);
HD_API void hd_context_free(struct hd_context* ctx);

// The message of the first error since the last call, to be freed by the caller; NULL if there was none.
HD_API char* hd_context_take_error(struct hd_context* ctx);
// Like hd_error, for HD_ERROR_MEMORY: always returns that.
__attribute__((format(printf, 2, 3))) HD_API int hd_memory_error(struct hd_context* ctx, const char* format, ...);

// From now on no kernel has failed.
HD_API int hd_expect_no_failure(struct hd_context* ctx);
// After an error: what kernels that were queued before it have to report is no later call's.
HD_API void hd_forget_failures(struct hd_context* ctx);

HD_API void hd_context_set_log(struct hd_context* ctx, FILE* log);
HD_API void hd_context_pause_profiling(struct hd_context* ctx);
HD_API void hd_context_unpause_profiling(struct hd_context* ctx);
// Sets a tuning parameter of a living context. 0, or 1 when there is no such name.
HD_API int hd_context_set_param(struct hd_context* ctx, const char* name, int64_t value);
// {"memory": {...}, "events": [...]}; the events are forgotten. To be freed by the caller; NULL when that failed.
HD_API char* hd_context_report(struct hd_context* ctx);
// Gives unused device memory back and forgets the peak.
HD_API int hd_context_clear_caches(struct hd_context* ctx);

#endif
