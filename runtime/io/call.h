// Calling an entry point on constituents that are already there.
#ifndef HD_CALL_H
#define HD_CALL_H

#include "runtime/core/context.h"

// How many constituents the values of `n` parameters or results have together.
HD_API int hd_num_constituents(const struct hd_program* program, int n, const struct hd_param_type* params);
// Calls without waiting for the device. On success `out` owns the results, on failure nothing.
HD_API int hd_start(struct hd_context* ctx, const struct hd_entry* entry, const struct hd_constituent* in,
                    struct hd_constituent* out);
// Calls and waits. On success `out` owns the results, on failure nothing. The time is taken either way; NULL if nobody wants it.
HD_API int hd_call(struct hd_context* ctx, const struct hd_entry* entry, const struct hd_constituent* in,
                   struct hd_constituent* out, int64_t* microseconds);

#endif
