// Has threads that make histograms of segments compute what follows from the bins of one.
//
//   let {bins} = seghist(thread)(y < h, x < w, i < 64) {..}                 becomes the last statement's kernel, where there are so many segments that
//   let {smooth} = segmap(thread)(y < h, x < w, z < 12) {                   threads make them; elsewhere that statement has kernels for both
//     ..bins[y, x, z], bins[y, x, z+1].. }
//
// The bins then go neither to memory nor come from there. What the segmap needs that stands between them goes before it (move_up.h).
#pragma once

#include "rewrites/graph/graph.h"
#include "rewrites/plan/fuse_stages.h"
#include "rewrites/points/host_scope.h"

namespace heddle::lower {

// Takes the stages that are computed so out of `stages`.
void finish_histograms(seg::Body& body, StageCodes& stages, const graph::Graph& graph, const HostScope& host,
                       PlannedProgram& planned, NameSource& names);

}  // namespace heddle::lower
