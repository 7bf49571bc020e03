// What a device must be able to do. Work is queued in order on one stream, so memory may be reused as soon as the last
// operation on it has been queued.
#ifndef HD_BACKEND_H
#define HD_BACKEND_H

#include "runtime/core/context.h"

struct hd_device_model;

enum hd_direction { HD_TO_DEVICE, HD_ON_DEVICE };

struct hd_backend_ops {
  int (*open)(struct hd_context* ctx);  // sets ctx->device, ctx->limits and ctx->failure_report
  void (*close)(struct hd_context* ctx);
  // Of a driver that has something current on each host thread: note what that is and make the device's so instead, and
  // make it again what it was. `open` also does the former, `close` and an `open` that fails the latter at their end.
  // Whatever else is called is called in between. NULL: there is no such thing.
  void (*remember)(struct hd_context* ctx);
  void (*restore)(struct hd_context* ctx);
  // HD_ERROR_MEMORY without a message when there is no room. bytes > 0. `for_host` asks for memory of which `finish` reads without a
  // copy, if there is such for so many bytes.
  int (*alloc)(struct hd_context* ctx, int64_t bytes, bool for_host, void** address);
  void (*free)(struct hd_context* ctx, void* address);
  // Queues a copy. Host memory to copy from may be reused at once.
  int (*copy)(struct hd_context* ctx, void* dst, const void* src, int64_t bytes, enum hd_direction direction);
  // launch->kernel counts through hd_program.kernels and then through the builtin kernels. All limits in hd_limits
  // hold.
  int (*launch)(struct hd_context* ctx, const struct hd_launch* launch);
  // Of texts of the same kernel, compiles and loads the first whose threads keep nothing in memory for want of
  // registers, or the last, and says which that is; NULL if that fails, which is no error of the program. Backends that
  // cannot compile have none of these three.
  void* (*load)(struct hd_context* ctx, int num_texts, const char* const* texts, const char* name, int* loaded);
  void (*unload)(struct hd_context* ctx, void* code);
  void (*model)(struct hd_context* ctx, struct hd_device_model* model);
  // hd_config_set_tile_param, of backends whose programs have tilings; NULL: there are none to set anything of.
  bool (*set_tile_param)(struct hd_config* config, const char* name, int64_t value);
  // Waits for all that was queued, and reads.
  int (*finish)(struct hd_context* ctx, const struct hd_read* reads, int num_reads);
  int (*mark)(struct hd_context* ctx, struct hd_instant* instant);
  // Microseconds between two marks; both are given up.
  int (*elapsed)(struct hd_context* ctx, struct hd_instant* begin, struct hd_instant* end, double* microseconds);
};

#endif
