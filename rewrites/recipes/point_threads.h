// Which thread of the direct recipe's kernel computes which points.
#pragma once

#include "rewrites/points/kernel_builder.h"

namespace heddle::lower {

struct PointsOfKernel {
  std::string kernel;  // its name
  nest::Block work;    // of one point
  std::vector<Name> indices;
  std::vector<nest::Expr> sizes;
};

// A thread for each point, in blocks that are tiles of the last three dimensions.
//
//   for yb in ceil(h/tile_y) (grid) for xb in ceil(w/tile_x) (grid) for ty in tile_y (block) for tx in tile_x (block)
//     let y = yb*tile_y + ty; let x = xb*tile_x + tx
//     if y < h && x < w { work }
//
// tile_x is w up to the block size, and behind that the block size, or a share of the row in whole warps (block_shape.h), and tile_y the rest of the block; of three dimensions
// or more, tile_y is h where that is less than a warp, else the power of two next above it, at most the rest of the block, and tile_z is what is left then.
// Where neighbours along x find their elements far apart, tiles are tall instead (reads_across.h): tile_y is at most a warp.
Launch in_tiles(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names);

// On a processor a thread has the points of a run: a part of a row, or several short rows.
//
//   for yr in ceil(h/rows) (grid) for xr in ceil(w/columns) (grid) for t in 1 (block)
//     for yp in min(rows, h - yr*rows) for xp in min(columns, w - xr*columns)
//       let y = yr*rows + yp; let x = xr*columns + xp; work
Launch in_runs(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names);

// A bounded number of threads, which have memory of their own, with the points thread, thread + num_threads, ... each.
//
//   for b in num_blocks (grid) for t in 256 (block) for round in ceil(h*w / num_threads)
//     let point = round*num_threads + thread
//     if point < h*w { let x = point % w; let y = point / w; work }
Launch in_rounds(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names);

// One thread.
Launch one_by_one(KernelBuilder&& kernel, PointsOfKernel points, NameSource& names);

// Lets for the indices of the point with this number.
nest::Block decoded(nest::Expr number, const std::vector<Name>& indices, const std::vector<nest::Expr>& sizes,
                    NameSource& names);

}  // namespace heddle::lower
