// How large everything is in a tiled kernel. The compiler makes the numbers below with the kernel, as expressions over its
// constants (rewrites/contraction/geometry.h): generated programs have them as functions, the compiler evaluates them.
#ifndef HD_KERNEL_GEOMETRY_H
#define HD_KERNEL_GEOMETRY_H

#include "runtime/contraction/tiling_values.h"
#include "runtime/device/limits.h"
#include "runtime/device/types.h"

// The widest access.
#define HD_WIDE_BYTES 16

#define HD_VALUE_FIELD(name, settled) int64_t name;

// The values of the kernel's constants (tiling_values.h).
struct hd_tiling {
  struct {
    HD_PARALLEL_VALUES(HD_VALUE_FIELD)
  } parallel[HD_MAX_TILED_INDICES];
  struct {
    HD_REDUCTION_VALUES(HD_VALUE_FIELD)
  } reduction[HD_MAX_TILED_INDICES];
  struct {
    HD_OPERAND_VALUES(HD_VALUE_FIELD)
    double conflicts;  // how many times as long loads take because lanes meet in a bank; no constant of the kernel
  } operands[HD_MAX_TILED_OPERANDS];
  HD_KERNEL_VALUES(HD_VALUE_FIELD)
};

#undef HD_VALUE_FIELD

// What follows from the tile sizes (warps, lanes, points, chunks, unroll) and the slices alone.
struct hd_tile_geometry {
  int64_t block[2 * HD_MAX_TILED_INDICES];  // indices of a block in one chunk: the parallel ones, then the reduction's
  // Whether each chunk has an even number of groups for each slice, as a kernel takes for granted that loads ahead.
  int64_t groups_are_paired;
  struct {
    // Along the dimension that comes last in shared memory, if there is one: where the first block's tile begins, how
    // many neighbours a thread loads, and the length of the tile's rows without padding.
    int64_t first, reach, row;
    // How far apart in the tile what is read for neighbours along a parallel index lies: so many rows and columns.
    int64_t rows_apart[HD_MAX_TILED_INDICES], columns_apart[HD_MAX_TILED_INDICES];
  } operands[HD_MAX_TILED_OPERANDS];
};

// What follows from all of a tiling.
struct hd_kernel_geometry {
  int64_t threads, num_blocks, shared_bytes;
  int64_t points;                   // of a thread
  int64_t chunks, groups, members;  // of the reduction, of a chunk for each slice, of a group
  struct {
    int64_t tile, part;  // elements that a block reads in a chunk; how many of them lie in a row
    int64_t copies;      // of a thread in a chunk
    int64_t registers;   // elements that a thread holds at a time
  } operands[HD_MAX_TILED_OPERANDS];
};

// `sizes` is for the functions, which say what follows for this tiling.
struct hd_geometry_functions {
  const void* sizes;
  void (*of_tiles)(const void* sizes, const struct hd_tiling* tiling, struct hd_tile_geometry* geometry);
  void (*of_kernel)(const void* sizes, const struct hd_tiling* tiling, struct hd_kernel_geometry* geometry);
};

#endif
