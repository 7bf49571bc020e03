// Which stages of a pipeline become one kernel.
//
//   let {blurred} = segmap(thread)(y < h, x < w) { ..img[y, x-1].. }        becomes one kernel, the last statement's, if nothing else
//   let {sharp} = segmap(thread)(y < h, x < w) { ..blurred[y+1, x].. }      reads `blurred`
//
// Reductions of what a stage computes are a part of it (recipes/fold_in_stage.h), which then stands in their place.
//
// A stage that remains alone, since several others read it, is computed by each of them (recipes/compute_at_reader.h) where that is
// cheaper than memory.
#pragma once

#include "rewrites/graph/graph.h"
#include "rewrites/plan/planned_program.h"
#include "rewrites/points/host_scope.h"
#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/partition.h"
#include "rewrites/stencil/time_tile.h"

namespace heddle::lower {

using StageCodes = std::unordered_map<const seg::Stm*, StageCode>;

// The body's statements may change their order. Gives the last statement of each group of stages in the body a plan for all of the group, and takes the group's members out of
// `stages`; a stage with reductions in no group has the place of the last of them there. What the others compute is not read any more then: yields
// its names.
std::vector<Name> fuse_stages(seg::Body& body, StageCodes& stages, const StageArrays& arrays, const graph::Graph& graph,
                              const HostScope& host, stencil::Strategy strategy, const stencil::Models& models,
                              PlannedProgram& planned, NameSource& names);

// The same, with all of the body's stages in one group, in such tiles; none, and nothing has changed, where that cannot be.
std::optional<std::vector<Name>> fuse_all_stages(seg::Body& body, StageCodes& stages, const StageArrays& arrays,
                                                 const graph::Graph& graph, const HostScope& host,
                                                 const stencil::TimeTile& tile, const stencil::Models& models,
                                                 PlannedProgram& planned, NameSource& names);

}  // namespace heddle::lower
