#include "runtime/io/call.h"

#include "runtime/core/clock.h"
#include "runtime/io/opaque.h"

HD_API int hd_num_constituents(const struct hd_program* program, int n, const struct hd_param_type* params) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += program->types[params[i].type].num_constituents;
  return sum;
}

HD_API int hd_start(struct hd_context* ctx, const struct hd_entry* entry, const struct hd_constituent* in,
                    struct hd_constituent* out) {
  hd_ahead_forget(ctx);  // whoever has an array's address may have written there
  struct hd_constituent* next = out;
  for (int i = 0; i < entry->num_outputs; i++) {
    const struct hd_type* type = &ctx->program->types[entry->outputs[i].type];
    hd_constituents_init(type, next);
    next += type->num_constituents;
  }
  int status = entry->run(ctx, in, out);
  if (status != HD_SUCCESS) hd_forget_failures(ctx);
  return status;
}

HD_API int hd_call(struct hd_context* ctx, const struct hd_entry* entry, const struct hd_constituent* in,
                   struct hd_constituent* out, int64_t* microseconds) {
  int64_t start = microseconds != NULL ? hd_clock_microseconds() : 0;
  int returned = hd_start(ctx, entry, in, out);
  int synced = hd_sync(ctx);
  if (microseconds != NULL) *microseconds = hd_clock_microseconds() - start;
  if (returned) return returned;
  int num_out = hd_num_constituents(ctx->program, entry->num_outputs, entry->outputs);
  if (synced) hd_constituents_release(ctx, num_out, out);
  return synced;
}
