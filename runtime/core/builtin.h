// The kernels that every program has, whatever it computes (device/builtin.h).
#ifndef HD_BUILTIN_H
#define HD_BUILTIN_H

#include "runtime/core/launch.h"

enum hd_builtin { HD_BUILTIN_COPY, HD_BUILTIN_FILL, HD_BUILTIN_TRANSPOSE, HD_NUM_BUILTINS };

HD_API const char* hd_builtin_name(enum hd_builtin builtin);
HD_API int hd_launch_builtin(struct hd_context* ctx, enum hd_builtin builtin, int64_t num_blocks, int block_size,
                             int64_t shared_bytes, void** args);

// The text of the kernels, which follows the runtime in a CPU program, gives this table its values; in a CUDA program it
// stays empty.
HD_TABLE_ELSEWHERE void (*const hd_builtin_cpu[HD_NUM_BUILTINS])(const struct hd_cpu_launch*, void**);

// What a launch->kernel of the backends stands for: hd_program.kernels come first, then the builtin ones.
HD_API const char* hd_kernel_name(const struct hd_context* ctx, int kernel);
HD_API const char* hd_launch_name(const struct hd_context* ctx, const struct hd_launch* launch);

// dst := src, both windows of the same shape onto memory; dst := value, which has the element's size; dst := start,
// start + step, and so on, for rank 1.
HD_API int hd_copy_elements(struct hd_context* ctx, const struct hd_array* dst, const struct hd_array* src);
HD_API int hd_fill_elements(struct hd_context* ctx, const struct hd_array* dst, const void* value);
HD_API int hd_iota_elements(struct hd_context* ctx, const struct hd_array* dst, int64_t start, int64_t step);

#endif
