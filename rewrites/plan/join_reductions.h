// Reductions of what stages compute become a part of these (recipes/fold_in_stage.h), so that nothing is read again for them.
//
//   let {b} = segmap(thread)(y < h, x < w) { ..a[y, x-1].. }        the stage has the reduction's place and stores b and what its blocks fold
//   let {s} = segred(thread)(d < 1, i < h*w) (max) { ..b.. }
#pragma once

#include "rewrites/graph/graph.h"
#include "rewrites/plan/fuse_stages.h"

namespace heddle::lower {

// The plan of a stage's statement of which a reduction has taken over what it does.
inline constexpr std::string_view kReducedAsComputed = "with the reduction of what it computes";

struct JoinOptions {
  const StageArrays& arrays;
  const graph::Graph& graph;
  const HostScope& host;
  bool
      in_group;  // whether all stages are to become one kernel; else only such have reductions that are kernels by themselves, too
};

// Changes `stages`, and the plans of those that reductions take over, which do nothing any more; and puts reductions that are joined with a stage
// directly behind it, so that others that read the stage come later. Whoever has a plan for a stage with reductions must have it fold. Yields
// arrays that are not read any more.
std::vector<Name> join_reductions(seg::Body& body, StageCodes& stages, const JoinOptions& options,
                                  PlannedProgram& planned, NameSource& names);

// Whether reductions of the body are kernels by themselves.
bool folds_apart(const seg::Body& body, const PlannedProgram& planned);

// Whether what is folded of a stage, whose statement has this number, decides about what later stages of the body compute.
bool decides_about_stages(const StageCode& stage, size_t at, const seg::Body& body, const StageCodes& stages);

}  // namespace heddle::lower
