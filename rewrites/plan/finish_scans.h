// Has threads that scan compute what a map, or a reduction, makes of the results at its own points.
//
//   let {s} = segscan(thread)(i < n) ({+, 0}) { .. }            becomes the map's kernel, and s stays out of memory
//   let {y} = segmap(thread)(i < n) { ..s[i], x[i].. }          where nobody else reads it
//
//   let {r} = segred(thread)(d < 1, i < n) ({max, l}) { ..s[i], x[i].. }      likewise, with a second kernel for what each block comes to
//                                                                             (recipes/fold_by_blocks.h)
//
// What the map needs that stands between them goes before it (move_up.h). Neither is stored what readers compute again (seg/mapped_again.h).
#pragma once

#include "ir/seg/traverse.h"
#include "rewrites/graph/graph.h"
#include "rewrites/plan/planned_program.h"
#include "rewrites/points/host_scope.h"

namespace heddle::lower {

struct ScansOfBody {
  const seg::NameSet& unread;  // names that nobody reads
  // For operations, of what they read, the arrays of which they compute elements by themselves: as it was where they stand, and the host's own
  // no longer need be.
  const std::unordered_map<const seg::Stm*, ComputedArrays>& computed_for;
  const graph::Graph& graph;
};

// Yields the maps and reductions that are computed so, which nobody is to give another kernel.
std::vector<const seg::Stm*> finish_scans(seg::Body& body, const ScansOfBody& known, HostScope& host,
                                          PlannedProgram& planned, NameSource& names);

}  // namespace heddle::lower
