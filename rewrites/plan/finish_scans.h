// Has threads that scan compute what a map makes of the results at its own points.
//
//   let {s} = segscan(thread)(i < n) ({+, 0}) { .. }            becomes the map's kernel, and s stays out of memory
//   let {y} = segmap(thread)(i < n) { ..s[i], x[i].. }          where nobody else reads it
//
// What the map needs that stands between them goes before it (move_up.h). Neither is stored what readers compute again (seg/mapped_again.h).
#pragma once

#include "rewrites/graph/graph.h"
#include "rewrites/plan/fuse_stages.h"
#include "rewrites/points/host_scope.h"

namespace heddle::lower {

// Takes maps that are computed so out of `stages`. `unread`: names that nobody reads.
void finish_scans(seg::Body& body, StageCodes& stages, const seg::NameSet& unread, const graph::Graph& graph,
                  const HostScope& host, PlannedProgram& planned, NameSource& names);

}  // namespace heddle::lower
