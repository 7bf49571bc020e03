// One CUDA device and what a context keeps of it; its choice among all that there are.
#ifndef HD_CUDA_DEVICE_H
#define HD_CUDA_DEVICE_H

#include "runtime/backends/cuda_api.h"
#include "runtime/backends/cuda_run.h"
#include "runtime/backends/cuda_slab.h"
#include "runtime/backends/nvrtc.h"
#include "runtime/core/context.h"
#include "runtime/families/device_model.h"

// Numbers of the driver's binary interface.
enum {
  HD_CU_MAX_THREADS_PER_BLOCK = 1,
  HD_CU_MAX_GRID_DIM_X = 5,
  HD_CU_CLOCK_RATE = 13,
  HD_CU_WARP_SIZE = 10,
  HD_CU_MAX_REGISTERS_PER_BLOCK = 12,
  HD_CU_MULTIPROCESSOR_COUNT = 16,
  HD_CU_COMPUTE_MODE = 20,
  HD_CU_L2_CACHE_SIZE = 38,
  HD_CU_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  HD_CU_MEMORY_CLOCK_RATE = 36,
  HD_CU_MEMORY_BUS_WIDTH = 37,
  HD_CU_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  HD_CU_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  HD_CU_CAPABILITY_MAJOR = 75,
  HD_CU_CAPABILITY_MINOR = 76,
  HD_CU_MANAGED_MEMORY = 83,
  HD_CU_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  HD_CU_COMPUTE_MODE_PROHIBITED = 2,
  HD_CU_FUNC_MAX_THREADS_PER_BLOCK = 0,
  HD_CU_FUNC_SHARED_SIZE = 1,
  HD_CU_FUNC_LOCAL_SIZE = 3,
  HD_CU_FUNC_NUM_REGISTERS = 4,
  HD_CU_FUNC_PTX_VERSION = 5,
  HD_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE = 8,
  HD_CU_MEM_ATTACH_GLOBAL = 1,
  HD_CU_LAUNCH_PROGRAMMATIC_SERIALIZATION = 6
};

// The driver's structs of the same names.
struct hd_cu_launch_attribute {
  int id;
  union {
    int value;
    char all[64];
  } of __attribute__((aligned(8)));
};
struct hd_cu_launch_config {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
  void* stream;
  const struct hd_cu_launch_attribute* attributes;
  unsigned num_attributes;
};

// As many modules as a program's kernels are at most made into.
enum { HD_MOST_MODULES = 16 };

struct hd_cuda_kernel {
  int module;          // where it is, of the device's
  void* function;      // NULL until first used
  void* own_module;    // NULL where it is in one of the device's
  bool had_room_made;  // or was found to need none
  int max_threads;
  int num_registers;
  int local_bytes;  // of a thread
  bool waits;       // itself for the kernels before it
  int static_shared;
  int dynamic_shared;  // allowed so far
};

// Page-locked host memory. The driver may wait for the device before it copies from or to any other; kernels reach this
// one themselves.
struct hd_cuda_pinned {
  struct hd_failure_report failure_report;
  char reads[4096];
  char writes[64 * 1024];
};

struct hd_cuda_device {
  struct hd_cuda_api cuda;
  struct hd_nvrtc_api nvrtc;
  int driver_major;
  int ordinal;  // of the chosen device
  int capability;
  bool managed;
  bool nvrtc_open;
  struct hd_device_model model;
  void* context;
  void* remembered;  // what was current on the host thread before
  void* stream;
  void* modules[HD_MOST_MODULES];  // NULL where there is none
  struct hd_cuda_slab* slabs;
  struct hd_cuda_slab* host_slabs;  // page-locked
  struct hd_cuda_pinned* pinned;
  size_t num_written;  // bytes of pinned->writes that copies in the stream may still need
  bool queued;         // something, since the last wait
  struct hd_cuda_run run;
  int num_kernels;
  struct hd_cuda_kernel* kernels;  // the program's, then the builtin ones
};

// The status of a driver's call: HD_SUCCESS, or an error of the context with what the driver says.
HD_API int hd_cuda_checked(struct hd_context* ctx, const struct hd_cuda_device* device, int result, const char* call);

// Calls a driver function and returns from the caller with a message when that fails.
#define HD_CUDA_TRY(ctx, device, function, ...)                                                    \
  do {                                                                                             \
    int hd_status = hd_cuda_checked(ctx, device, (device)->cuda.function(__VA_ARGS__), #function); \
    if (hd_status != HD_SUCCESS) return hd_status;                                                 \
  } while (0)

HD_API int hd_cuda_attribute(struct hd_context* ctx, const struct hd_cuda_device* device, int ordinal, int attribute,
                             int64_t* value);

// In this order: opens the driver, picks the device that the configuration asks for, and asks it what it has. The
// limits go to ctx->limits, the rest to the device.
HD_API int hd_cuda_start_driver(struct hd_context* ctx, struct hd_cuda_device* device);
HD_API int hd_cuda_choose_device(struct hd_context* ctx, struct hd_cuda_device* device);
HD_API int hd_cuda_query_limits(struct hd_context* ctx, const struct hd_cuda_device* device);
HD_API int hd_cuda_query_model(struct hd_context* ctx, struct hd_cuda_device* device);

#endif
