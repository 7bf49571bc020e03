// The runtime of CUDA programs as a part of its own.
#define HD_ONLY_RUNTIME

// Each of these builds on those before it; the blank lines keep the order.
#include "embedded_runtime_headers.txt"

#include "embedded_runtime_host.txt"

#include "embedded_runtime_cuda_headers.txt"

#include "embedded_runtime_contraction_headers.txt"

#include "embedded_runtime_cuda.txt"

#include "embedded_runtime_contraction.txt"
