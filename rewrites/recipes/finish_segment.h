// What a thread that has the bins of a segment (histogram_by_thread.h) computes of them, in the place of a stage that would read them from memory:
//
//   b[y][x][z] := a[y][x][z] + a[y][x][z+1]         for the segment (y, x), with the bins a[y][x][..] in of_thread[..][t]
//
//   alloc b: register [12]
//   for z in 12 (unrolled) { b[z] := of_thread[z][t] + of_thread[z+1][t] }
//   for w in 3 (unrolled) { b[y][x][4*w..4*w+3] := b[4*w..4*w+3] }
#pragma once

#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// Bins of an array, as the host calls it; the last index is the thread's.
struct BinsOfThread {
  Name array;
  nest::Buffer bins;
  nest::Expr thread;
};

// Whether each point of the stage reads these arrays of bins alone, and of them those of its own segment, which its first indices tell; and
// there are no more points of a segment than bins.
bool finishes_segments(const StageCode& stage, const seg::Stm& histogram);

// Of such a stage, for this segment.
nest::Block finished_segment(const StageCode& stage, const std::vector<nest::Expr>& segment,
                             const std::vector<BinsOfThread>& bins, NameSource& names);

}  // namespace heddle::lower
