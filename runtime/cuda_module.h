// Modules of kernels: compiled, kept in the cache, loaded.
#ifndef HD_CUDA_MODULE_H
#define HD_CUDA_MODULE_H

#include "cuda_device.h"

// Loads what `text` compiles to. It is kept in `file`, or under its hash where that is NULL and the user's folder may
// be used.
HD_API int hd_cuda_compile_text(struct hd_context* ctx, struct hd_cuda_device* device, const char* text,
                                const char* file, void** module);

// Loads the program's kernels as device->module, from where the configuration says.
HD_API int hd_cuda_load_module(struct hd_context* ctx, struct hd_cuda_device* device);

#endif
