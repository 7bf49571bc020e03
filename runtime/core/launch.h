// Kernels, tuning parameters and failures, as host statements see them.
#ifndef HD_LAUNCH_H
#define HD_LAUNCH_H

#include "runtime/core/array.h"
#include "runtime/device/types.h"

// An array that a kernel is handed.
struct hd_use {
  const struct hd_array* array;
  bool written;
};

struct hd_launch {
  int kernel;            // index into hd_program.kernels
  int64_t num_blocks;    // 1-D grid; at most 2^31-1, else HD_ERROR_PROGRAM with a message
  int block_size;        // threads, 1-D
  int64_t shared_bytes;  // dynamic shared memory
  void** args;           // addresses of the arguments, in the order of the kernel's parameters
  void* code;            // not NULL: what to launch, compiled at run time, instead of `kernel`
  const char* name;      // of that
  // Of kernels that may run beside others; all may stay 0. The backend writes to `order`, which is one of the arguments (enum hd_order).
  int32_t* order;
  bool beside_next;  // by its names what is launched next needs nothing of this kernel, nor this of that
  int num_uses;
  const struct hd_use* uses;  // all that it is handed
};
// Queues a kernel; nothing happens when there are no blocks. A block that does not fit the device is refused in words
// that name the resource. Every kernel takes as its first parameter the device address of the failure record below.
HD_API int hd_launch_kernel(struct hd_context* ctx, const struct hd_launch* launch);

// The failure record in device memory (device/types.h) says which failure came first, and where that is reported.
// What to pass as the first kernel argument: a pointer to its device address.
HD_API void* hd_failure_address(struct hd_context* ctx);
// The device address of the array's first element, the offset applied.
HD_API void* hd_array_address(const struct hd_array* a);

// Raises failure `id` of hd_program.failures on the host; always returns HD_ERROR_PROGRAM. args: one 64-bit slot each.
HD_API int hd_fail(struct hd_context* ctx, int id, int num_args, const int64_t* args);
// Raises an error that is not one of the program's own failures; always returns HD_ERROR_PROGRAM.
__attribute__((format(printf, 2, 3))) HD_API int hd_error(struct hd_context* ctx, const char* format, ...);
// #[trace]: prints to stderr as Futhark does.
HD_API void hd_trace(struct hd_context* ctx, const char* tag, const struct hd_constituent* value);

// The value in force of tuning parameter i (its own, or its class' default on this device).
HD_API int64_t hd_param(struct hd_context* ctx, int i);
// threshold i <= x, logging "Compared <name> <= <x>: <true|false>." as Futhark's autotuner expects it.
HD_API bool hd_compare_threshold(struct hd_context* ctx, int i, int64_t x);
// The device's limit for a class (get_size_max).
HD_API int64_t hd_param_max(struct hd_context* ctx, enum hd_tuning_class cls);

// The program's constants, as hd_program.init_constants left them.
HD_API const struct hd_constituent* hd_constants(struct hd_context* ctx);

// A piece of device memory that the host wants to see.
struct hd_read {
  void* host;
  const void* device;
  int64_t bytes;
};
// Waits for the device, reports the first failure, and copies what was there when all that was queued was done.
HD_API int hd_sync_and_read(struct hd_context* ctx, const struct hd_read* reads, int num_reads);
HD_API int hd_sync(struct hd_context* ctx);
// The same as an event of its own when profiling.
HD_API int hd_fetch(struct hd_context* ctx, const struct hd_read* reads, int num_reads);

#endif
