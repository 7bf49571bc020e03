// Every function of the CUDA driver and of NVRTC that the runtime looks for, doing nothing; pretended_gpu.c replaces
// some.
#include "runtime/backends/cuda_api.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define SUCCEED(name, parameters) \
  __attribute__((weak)) int name parameters { return 0; }

HD_CUDA_FUNCTIONS(SUCCEED)
HD_NVRTC_FUNCTIONS(SUCCEED)
