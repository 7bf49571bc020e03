// The runtime's functions, visible from outside because HD_API is empty here.
// Each of these builds on those before it; the blank lines keep the order.
#include "embedded_runtime_headers.txt"

#include "embedded_runtime_host.txt"

#include "embedded_runtime_cpu.txt"

#include "embedded_runtime_cuda_headers.txt"

#include "embedded_runtime_cuda.txt"

#include "embedded_runtime_device.txt"

#include "embedded_runtime_builtins.txt"
