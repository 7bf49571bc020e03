// The runtime's functions, visible from outside because HD_API is empty here.
#include "embedded_runtime_device.txt"
#include "embedded_runtime_host.txt"
