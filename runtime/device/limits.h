// How much fits into what has a fixed size in generated programs. The compiler refuses in time what exceeds it, the
// runtime derives its memory from it.
#ifndef HD_DEVICE_LIMITS_H
#define HD_DEVICE_LIMITS_H

// Dimensions of an array.
#define HD_MAX_RANK 16
// Values in the message of a failure inside a kernel.
#define HD_MAX_FAILURE_ARGS 24
// Elements that the host reads with one wait.
#define HD_MAX_READS 32

// Of a tiled contraction: parallel indices, and as many of the reduction.
#define HD_MAX_TILED_INDICES 8
#define HD_MAX_TILED_OPERANDS 8
// Sizes that are constants of a tiled kernel, beside its tiling: extents of windows, strides.
#define HD_MAX_FIXED_SIZES 32

#endif
