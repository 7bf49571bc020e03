// The module of a program's kernels.
#ifndef HD_CUDA_MODULE_H
#define HD_CUDA_MODULE_H

#include "runtime/backends/cuda_device.h"

// Loads the program's kernels as device->modules, from where the configuration says.
HD_API int hd_cuda_load_module(struct hd_context* ctx, struct hd_cuda_device* device);

#endif
