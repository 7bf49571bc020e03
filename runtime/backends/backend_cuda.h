// Kernels on an NVIDIA GPU. The driver and NVRTC are opened at run time, so the same program runs with CUDA 12 and 13
// and starts, with a clear message, where there is neither.
#ifndef HD_BACKEND_CUDA_H
#define HD_BACKEND_CUDA_H

#include "runtime/core/backend.h"

HD_API const struct hd_backend_ops* hd_backend_cuda(void);

#endif
