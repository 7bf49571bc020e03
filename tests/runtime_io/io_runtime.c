// The runtime's functions, visible from outside because HD_API is empty here.
// The device text builds on the host text; the blank lines keep the order.
#include "embedded_runtime_host.txt"

#include "embedded_runtime_builtins.txt"
#include "embedded_runtime_device.txt"
