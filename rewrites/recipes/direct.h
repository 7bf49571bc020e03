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
// Which thread computes which point is decided by point_threads.h. A kernel whose threads need memory of their own gets a bounded number of threads
// instead, each looping over points; one thread alone does it where points update an accumulator in a way that cannot be atomic; a processor's threads
// have runs of points. At block level a thread does what a block was meant to do: slow, and right.
//
// `of_sources`: elements of arrays that contractions may compute (HostScope::computed) are computed where they are read.
Points points_of(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                 bool of_sources);

// Lowers a block-level segmap: a block of threads for each point (body_team.cpp). Its arrays lie in shared memory; where
// the sizes at hand are too much for that, a second kernel has them in global memory. Throws Refused.
Plan lower_by_teams(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names);

}  // namespace heddle::lower
