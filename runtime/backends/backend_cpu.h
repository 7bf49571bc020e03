// Kernels on the host's cores. Blocks are spread over worker threads; the threads of a block run one after the other,
// or as fibers when the kernel has barriers.
#ifndef HD_BACKEND_CPU_H
#define HD_BACKEND_CPU_H

#include "runtime/core/backend.h"

HD_API const struct hd_backend_ops* hd_backend_cpu(void);

#endif
