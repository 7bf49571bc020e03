// From a contraction to a tiled kernel.
//
//   out[z][y][x] = sum over n, i, j of image[n][y + i][x + j] * filters[n][i][j][z]
// becomes, for tiles of points in registers within tiles of threads,
//   for blocks of (y, x, z) (grid) { for threads (block) {
//     alloc acc: register f32[points_z][points_y][points_x]; acc[...] := 0
//     for chunks of (n, i, j) (serial) {                                        -- copies run stages - 1 chunks ahead
//       image_tile, filters_tile (shared) := what the block reads in this chunk -- asynchronous copies by all threads
//       for n, i, j in the chunk, by groups of `unroll` {
//         image_points (register) := what the thread reads in this group        -- wide loads
//         acc[...] := acc[...] + image_points[...] * filters_points[...]        -- all unrolled
//       } }
//     result_tile (shared) := acc, result := result_tile                        -- writes neighbours together
//   } }
// Tile sizes and the extents of windows are the kernel's constants (tiling.h).
#pragma once

#include "ir/nest/nest.h"
#include "rewrites/contraction/schedule.h"

namespace heddle::contraction {

// `direct` is the kernel that computes the contraction point by point: it has the same parameters, and the result's
// last dimension is the contiguous one. `constants` are those of the kernel: all that are in the schedule's numbers, and
// scalars of the direct kernel that are to be fixed at compilation: window extents, strides.
nest::Kernel tiled(const recognize::Contraction& c, const Schedule& schedule, const std::vector<Name>& constants,
                   const nest::Kernel& direct, NameSource& names);

// With the full schedule, whose numbers are the constants of the tiling; they come first among the kernel's.
nest::Kernel tiled(const recognize::Contraction& c, const Tiling& tiling, const std::vector<Name>& constants,
                   const nest::Kernel& direct, NameSource& names);

}  // namespace heddle::contraction
