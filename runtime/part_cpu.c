// The runtime of CPU programs as a part of its own.
#define HD_ONLY_RUNTIME

// Each of these builds on those before it; the blank lines keep the order.
#include "embedded_runtime_headers.txt"

#include "embedded_runtime_host.txt"

#include "embedded_runtime_cpu.txt"

#include "embedded_runtime_device.txt"

#include "embedded_runtime_builtins.txt"
