#include "runtime/core/launch.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/core/backend.h"
#include "runtime/core/builtin.h"

HD_API void* hd_failure_address(struct hd_context* ctx) { return &ctx->failure_address; }

HD_API int64_t hd_param(struct hd_context* ctx, int i) { return ctx->params[i]; }

HD_API bool hd_compare_threshold(struct hd_context* ctx, int i, int64_t x) {
  bool holds = ctx->params[i] <= x;
  // Futhark's autotuner reads this line: its format is fixed.
  if (ctx->logging) {
    fprintf(ctx->log, "Compared %s <= %" PRId64 ": %s.\n", ctx->program->params[i].name, x, holds ? "true" : "false");
  }
  return holds;
}

HD_API const struct hd_constituent* hd_constants(struct hd_context* ctx) { return ctx->constants; }

static void hd_add_failure_arg(struct hd_text* text, char kind, int64_t slot) {
  if (kind == 'f') {
    double value;
    memcpy(&value, &slot, sizeof value);
    hd_text_add(text, "%f", value);
  } else if (kind == 'b') {
    hd_text_add(text, "%s", slot ? "true" : "false");
  } else {
    hd_text_add(text, "%" PRId64, slot);
  }
}

// The format is not handed to printf: a conversion only marks the place of the next argument.
static void hd_add_failure_message(struct hd_text* text, const struct hd_failure* failure, int num_args,
                                   const int64_t* args) {
  const char* kinds = failure->arg_kinds != NULL ? failure->arg_kinds : "";
  int num_kinds = (int)strlen(kinds);
  int next = 0;
  for (const char* c = failure->format; *c; c++) {
    if (*c != '%') {
      hd_text_add_bytes(text, c, 1);
    } else if (c[1] == '%') {
      hd_text_add_bytes(text, c++, 1);
    } else {
      c += strcspn(c, "dfsu");
      if (next < num_args && next < num_kinds) hd_add_failure_arg(text, kinds[next], args[next]);
      next++;
      if (*c == 0) break;
    }
  }
}

// Sets the error.
static int hd_raise(struct hd_context* ctx, int id, int num_args, const int64_t* args) {
  if (id < 0 || id >= ctx->program->num_failures) {
    return hd_error(ctx, "Error: a failure with the unknown number %d was reported; this is a bug in the compiler.",
                    id);
  }
  const struct hd_failure* failure = &ctx->program->failures[id];
  struct hd_text text = {0};
  hd_text_add(&text, "Error: ");
  hd_add_failure_message(&text, failure, num_args, args);
  if (failure->backtrace != NULL) hd_text_add(&text, "\n\nBacktrace:\n%s", failure->backtrace);
  int status = hd_error(ctx, "%s", text.chars != NULL ? text.chars : "Error: out of host memory.");
  hd_text_clear(&text);
  return status;
}

// Kernels that were queued before came first.
HD_API int hd_fail(struct hd_context* ctx, int id, int num_args, const int64_t* args) {
  return hd_sync(ctx) == HD_SUCCESS ? hd_raise(ctx, id, num_args, args) : HD_ERROR_PROGRAM;
}

HD_API int hd_sync(struct hd_context* ctx) { return hd_sync_and_read(ctx, NULL, 0); }

HD_API int hd_sync_and_read(struct hd_context* ctx, const struct hd_read* reads, int num_reads) {
  if (ctx->device == NULL) return hd_error(ctx, "There is no device to wait for.");
  // An error stays one until somebody takes it.
  if (ctx->error != NULL) return ctx->error_status;
  int status = ctx->backend->finish(ctx, reads, num_reads);
  if (status != HD_SUCCESS || ctx->failure_report->id < 0) return status;
  struct hd_failure_report report = *ctx->failure_report;
  // Later calls start afresh.
  status = hd_expect_no_failure(ctx);
  if (status != HD_SUCCESS) return status;
  int id = report.id < ctx->program->num_failures ? (int)report.id : -1;
  return hd_raise(ctx, id, HD_MAX_FAILURE_ARGS, report.args);
}

HD_API int hd_fetch(struct hd_context* ctx, const struct hd_read* reads, int num_reads) {
  int64_t bytes = 0;
  for (int i = 0; i < num_reads; i++) bytes += reads[i].bytes;
  if (bytes == 0) return hd_sync(ctx);
  struct hd_span span;
  int status = hd_span_begin(ctx, &span);
  if (status == HD_SUCCESS) status = hd_sync_and_read(ctx, reads, num_reads);
  return status == HD_SUCCESS ? hd_span_end(ctx, &span, "copy_dev_to_host", "%" PRId64 " bytes", bytes) : status;
}

HD_API const char* hd_kernel_name(const struct hd_context* ctx, int kernel) {
  int num_kernels = ctx->program->num_kernels;
  return kernel < num_kernels ? ctx->program->kernels[kernel].name
                              : hd_builtin_name((enum hd_builtin)(kernel - num_kernels));
}

HD_API const char* hd_launch_name(const struct hd_context* ctx, const struct hd_launch* launch) {
  return launch->code != NULL ? launch->name : hd_kernel_name(ctx, launch->kernel);
}

// What a launch asks of any device.
static int hd_launch_check(struct hd_context* ctx, const struct hd_launch* launch) {
  const struct hd_limits* limits = &ctx->limits;
  if (launch->num_blocks > limits->max_grid_size) {
    return hd_error(ctx, "Kernel %s needs a grid of %" PRId64 " blocks, but the device allows at most %" PRId64 ".",
                    hd_launch_name(ctx, launch), launch->num_blocks, limits->max_grid_size);
  }
  if (launch->block_size < 1 || launch->block_size > limits->max_block_size) {
    return hd_error(ctx, "Kernel %s needs blocks of %d threads, but the device allows 1 to %" PRId64 ".",
                    hd_launch_name(ctx, launch), launch->block_size, limits->max_block_size);
  }
  if (launch->shared_bytes < 0 || launch->shared_bytes > limits->max_shared_memory) {
    return hd_error(
        ctx, "Kernel %s needs %" PRId64 " bytes of shared memory per block, but the device allows at most %" PRId64 ".",
        hd_launch_name(ctx, launch), launch->shared_bytes, limits->max_shared_memory);
  }
  return HD_SUCCESS;
}

static int hd_launch_checked(struct hd_context* ctx, const struct hd_launch* launch) {
  struct hd_span span;
  hd_ahead_forget(ctx);
  int status = hd_launch_check(ctx, launch);
  if (status == HD_SUCCESS) status = hd_span_begin(ctx, &span);
  if (status == HD_SUCCESS) status = ctx->backend->launch(ctx, launch);
  if (status != HD_SUCCESS || (!ctx->debugging && !span.recorded)) return status;
  const char* name = hd_launch_name(ctx, launch);
  if (ctx->debugging) {
    fprintf(ctx->log, "Launched %s with %" PRId64 " blocks of %d threads and %" PRId64 " bytes of shared memory.\n",
            name, launch->num_blocks, launch->block_size, launch->shared_bytes);
  }
  return hd_span_end(ctx, &span, name,
                     "Kernel %s with\n  grid=(%" PRId64 ",1,1)\n  block=(%d,1,1)\n  shared memory=%" PRId64, name,
                     launch->num_blocks, launch->block_size, launch->shared_bytes);
}

HD_API int hd_launch_builtin(struct hd_context* ctx, enum hd_builtin builtin, int64_t num_blocks, int block_size,
                             int64_t shared_bytes, void** args) {
  if (num_blocks <= 0) return HD_SUCCESS;
  return hd_launch_checked(ctx, &(struct hd_launch){.kernel = ctx->program->num_kernels + (int)builtin,
                                                    .num_blocks = num_blocks,
                                                    .block_size = block_size,
                                                    .shared_bytes = shared_bytes,
                                                    .args = args});
}

HD_API int hd_launch_kernel(struct hd_context* ctx, const struct hd_launch* launch) {
  if (ctx->device == NULL) return hd_error(ctx, "There is no device to run kernels on.");
  if (launch->kernel < 0 || launch->kernel >= ctx->program->num_kernels) {
    return hd_error(ctx, "The program has no kernel number %d; this is a bug in the compiler.", launch->kernel);
  }
  if (launch->num_blocks <= 0) return HD_SUCCESS;
  return hd_launch_checked(ctx, launch);
}
