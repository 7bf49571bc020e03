// The few functions of the CUDA driver and of NVRTC that are used, found in their libraries at run time. Handles are
// untyped, and names carry the version suffixes of the binary interface, which CUDA 12 and 13 share.
#ifndef HD_CUDA_API_H
#define HD_CUDA_API_H

#include "runtime/core/program.h"

typedef uint64_t hd_cuda_address;

#define HD_CUDA_FUNCTIONS(X)                                                                                        \
  X(cuInit, (unsigned flags))                                                                                       \
  X(cuDriverGetVersion, (int* version))                                                                             \
  X(cuGetErrorString, (int error, const char** words))                                                              \
  X(cuDeviceGetCount, (int* count))                                                                                 \
  X(cuDeviceGet, (int* device, int ordinal))                                                                        \
  X(cuDeviceGetName, (char* name, int size, int device))                                                            \
  X(cuDeviceGetAttribute, (int* value, int attribute, int device))                                                  \
  X(cuDevicePrimaryCtxRetain, (void** context, int device))                                                         \
  X(cuDevicePrimaryCtxRelease_v2, (int device))                                                                     \
  X(cuCtxSetCurrent, (void* context))                                                                               \
  X(cuCtxGetCurrent, (void** context))                                                                              \
  X(cuStreamCreate, (void** stream, unsigned flags))                                                                \
  X(cuStreamDestroy_v2, (void* stream))                                                                             \
  X(cuStreamSynchronize, (void* stream))                                                                            \
  X(cuModuleLoadData, (void** module, const void* image))                                                           \
  X(cuModuleUnload, (void* module))                                                                                 \
  X(cuModuleGetFunction, (void** function, void* module, const char* name))                                         \
  X(cuFuncGetAttribute, (int* value, int attribute, void* function))                                                \
  X(cuFuncSetAttribute, (void* function, int attribute, int value))                                                 \
  X(cuLaunchKernel, (void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,           \
                     unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** args, void** extra)) \
  X(cuMemAlloc_v2, (hd_cuda_address * address, size_t bytes))                                                       \
  X(cuMemAllocManaged, (hd_cuda_address * address, size_t bytes, unsigned flags))                                   \
  X(cuMemAllocHost_v2, (void** memory, size_t bytes))                                                               \
  X(cuMemFreeHost, (void* memory))                                                                                  \
  X(cuMemFree_v2, (hd_cuda_address address))                                                                        \
  X(cuMemcpyHtoDAsync_v2, (hd_cuda_address dst, const void* src, size_t bytes, void* stream))                       \
  X(cuMemcpyDtoHAsync_v2, (void* dst, hd_cuda_address src, size_t bytes, void* stream))                             \
  X(cuMemcpyDtoDAsync_v2, (hd_cuda_address dst, hd_cuda_address src, size_t bytes, void* stream))                   \
  X(cuEventCreate, (void** event, unsigned flags))                                                                  \
  X(cuEventRecord, (void* event, void* stream))                                                                     \
  X(cuEventElapsedTime, (float* milliseconds, void* begin, void* end))                                              \
  X(cuEventDestroy_v2, (void* event))

// Those that only newer drivers have; NULL where there is none.
struct hd_cu_launch_config;
#define HD_NEWER_CUDA_FUNCTIONS(X) \
  X(cuLaunchKernelEx, (const struct hd_cu_launch_config* config, void* function, void** args, void** extra))

#define HD_NVRTC_FUNCTIONS(X)                                                                 \
  X(nvrtcVersion, (int* major, int* minor))                                                   \
  X(nvrtcGetNumSupportedArchs, (int* count))                                                  \
  X(nvrtcGetSupportedArchs, (int* archs))                                                     \
  X(nvrtcCreateProgram, (void** program, const char* text, const char* name, int num_headers, \
                         const char* const* headers, const char* const* header_names))        \
  X(nvrtcDestroyProgram, (void** program))                                                    \
  X(nvrtcCompileProgram, (void* program, int num_options, const char* const* options))        \
  X(nvrtcGetProgramLogSize, (void* program, size_t* size))                                    \
  X(nvrtcGetProgramLog, (void* program, char* log))                                           \
  X(nvrtcGetCUBINSize, (void* program, size_t* size))                                         \
  X(nvrtcGetCUBIN, (void* program, char* binary))                                             \
  X(nvrtcGetPTXSize, (void* program, size_t* size))                                           \
  X(nvrtcGetPTX, (void* program, char* text))

#define HD_DECLARE_FUNCTION(name, parameters) int(*name) parameters;
struct hd_cuda_api {
  void* library;
  HD_CUDA_FUNCTIONS(HD_DECLARE_FUNCTION)
  HD_NEWER_CUDA_FUNCTIONS(HD_DECLARE_FUNCTION)
};
struct hd_nvrtc_api {
  void* library;
  HD_NVRTC_FUNCTIONS(HD_DECLARE_FUNCTION)
};
#undef HD_DECLARE_FUNCTION

// Results that get words of their own.
enum { HD_CUDA_SUCCESS = 0, HD_CUDA_OUT_OF_MEMORY = 2, HD_CUDA_NO_DEVICE = 100 };

// Opens a library. NULL, or one sentence that says what is missing, to be freed by the caller.
HD_API char* hd_cuda_api_open(struct hd_cuda_api* api);
HD_API void hd_cuda_api_close(struct hd_cuda_api* api);
// Prefers the release that goes with the driver: an older driver does not load what a newer NVRTC makes.
HD_API char* hd_nvrtc_api_open(struct hd_nvrtc_api* api, int driver_major);
HD_API void hd_nvrtc_api_close(struct hd_nvrtc_api* api);

#endif
