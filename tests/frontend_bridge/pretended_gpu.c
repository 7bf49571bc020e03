// To be preloaded into a program made by `heddle cuda`: lets it find what the environment variable PRETENDED_GPU says,
// whatever the machine has. Kernels do nothing here. The variable is one of
//   no driver   the CUDA driver's library is missing
//   no device   the driver finds no device
//   no nvrtc    NVRTC's library is missing
//   a device    all is there, and the device has 1 MiB of memory
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/cuda_api.h"

static bool pretended(const char* what) {
  const char* wanted = getenv("PRETENDED_GPU");
  return wanted != NULL && strcmp(wanted, what) == 0;
}

// A library that is found is this one.
void* dlopen(const char* file, int flags) {
  void* (*real)(const char*, int) = NULL;
  void* address = dlsym(RTLD_NEXT, "dlopen");
  memcpy(&real, &address, sizeof real);
  bool driver = file != NULL && strstr(file, "libcuda") != NULL;
  bool nvrtc = file != NULL && strstr(file, "libnvrtc") != NULL;
  if (!driver && !nvrtc) return real(file, flags);
  bool missing = driver ? pretended("no driver") : pretended("no nvrtc");
  return missing ? NULL : real(NULL, flags);
}

int cuInit(unsigned flags) {
  (void)flags;
  return pretended("no device") ? HD_CUDA_NO_DEVICE : HD_CUDA_SUCCESS;
}

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}

int cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}

int cuDeviceGetName(char* name, int size, int device) {
  (void)device;
  strncpy(name, "Pretended", (size_t)size);
  return 0;
}

// Large enough for every limit, and small enough to be multiplied.
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  (void)attribute, (void)device;
  *value = 1024;
  return 0;
}

int cuFuncGetAttribute(int* value, int attribute, void* function) {
  (void)attribute, (void)function;
  *value = 1024;
  return 0;
}

// Handles must not be null.
int cuDevicePrimaryCtxRetain(void** context, int device) {
  (void)device;
  *context = context;
  return 0;
}

int cuModuleLoadData(void** module, const void* image) {
  (void)image;
  *module = module;
  return 0;
}

static size_t in_use;

int cuMemAlloc_v2(hd_cuda_address* address, size_t bytes) {
  if (in_use + bytes > 1 << 20) return HD_CUDA_OUT_OF_MEMORY;
  in_use += bytes;
  *address = (uintptr_t)calloc(1, bytes);
  return 0;
}

int cuMemFree_v2(hd_cuda_address address) {
  free((void*)(uintptr_t)address);
  return 0;
}

int cuMemAllocHost_v2(void** address, size_t bytes) {
  *address = calloc(1, bytes);
  return 0;
}

int cuMemFreeHost(void* address) {
  free(address);
  return 0;
}

int cuMemcpyHtoDAsync_v2(hd_cuda_address dst, const void* src, size_t bytes, void* stream) {
  (void)stream;
  memcpy((void*)(uintptr_t)dst, src, bytes);
  return 0;
}

int cuMemcpyDtoHAsync_v2(void* dst, hd_cuda_address src, size_t bytes, void* stream) {
  (void)stream;
  memcpy(dst, (const void*)(uintptr_t)src, bytes);
  return 0;
}

int cuMemcpyDtoDAsync_v2(hd_cuda_address dst, hd_cuda_address src, size_t bytes, void* stream) {
  (void)stream;
  memmove((void*)(uintptr_t)dst, (const void*)(uintptr_t)src, bytes);
  return 0;
}

int nvrtcGetNumSupportedArchs(int* count) {
  *count = 1;
  return 0;
}

int nvrtcGetSupportedArchs(int* archs) {
  *archs = 90;
  return 0;
}

static int any_text_size(size_t* size) {
  *size = 1;
  return 0;
}

static int any_text(char* text) {
  *text = 0;
  return 0;
}

int nvrtcGetCUBINSize(void* program, size_t* size) { return (void)program, any_text_size(size); }
int nvrtcGetCUBIN(void* program, char* binary) { return (void)program, any_text(binary); }
int nvrtcGetPTXSize(void* program, size_t* size) { return (void)program, any_text_size(size); }
int nvrtcGetPTX(void* program, char* text) { return (void)program, any_text(text); }
