// What the points of an operation compute, and the direct recipe: one thread per point of the segspace.
#pragma once

#include "rewrites/recipes/find_contraction.h"

namespace heddle::lower {

struct Points {
  Plan direct;               // a thread for each point, as below
  std::optional<Seen> seen;  // nothing where they can be no contraction; why_not_seen then says why
  std::string why_not_seen;
  nest::Facts facts;  // where the work of a point begins
};

// Of a thread-level segmap, or a GpuBody as a segmap of one point. Throws Refused.
//
//   segmap(thread)(y < h, x < w) { let v = f(img[y,x]) return {returns v} }
//
//   for yb in ceil(h/tile_y) (grid) for xb in ceil(w/tile_x) (grid) for ty in tile_y (block) for tx in tile_x (block)
//     let y = yb*tile_y + ty; let x = xb*tile_x + tx
//     if y < h && x < w { let v = f(img[y][x]); result[y][x] := v }
//
// tile_x is w where that is less than a warp, else the power of two next above it, at most the block size, and tile_y the rest of the block; of
// three dimensions or more, tile_y follows from h in the same way, at most the rest of the block, and tile_z is what is left then. Where
// neighbours along x find their elements far apart, tiles are tall instead (reads_across.h): tile_y is at most a warp. A kernel whose
// threads need memory of their own gets a bounded number of threads instead, each looping over points; one thread alone
// does it where points update an accumulator in a way that cannot be atomic. At block level a thread does what a block
// was meant to do: slow, and right.
//
// On a processor a thread has the points of a run: a part of a row, or several short rows.
//
//   for yr in ceil(h/rows) (grid) for xr in ceil(w/columns) (grid) for t in 1 (block)
//     for yp in min(rows, h - yr*rows) for xp in min(columns, w - xr*columns)
//       let y = yr*rows + yp; let x = xr*columns + xp; let v = f(img[y][x]); result[y][x] := v
//
// `of_sources`: elements of arrays that contractions may compute (HostScope::computed) are computed where they are read.
Points points_of(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                 bool of_sources);

// Lowers a block-level segmap: a block of threads for each point (body_team.cpp). Its arrays lie in shared memory; where
// the sizes at hand are too much for that, a second kernel has them in global memory. Throws Refused.
Plan lower_by_teams(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names);

}  // namespace heddle::lower
