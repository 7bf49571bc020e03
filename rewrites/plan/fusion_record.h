// What became of the stages of a body of host code, and why: for `heddle explain`.
#pragma once

#include <string>
#include <vector>

#include "ir/seg/syntax.h"
#include "rewrites/stencil/fit_tile.h"
#include "rewrites/stencil/partition.h"
#include "rewrites/stencil/pyramid.h"

namespace heddle::lower {

struct GroupRecord {
  stencil::Group group;
  std::optional<stencil::FittedTile> kernel;  // none: its stages stay apart
  std::string why_not;                        // then, unless it is one stage: a clause
  bool may_fail = false;                      // the host checks something before its kernel runs
  std::vector<std::string> nesting =
      {};  // which stages its threads compute for themselves, and which not and why; those are in no group
};

struct FusionRecord {
  stencil::Strategy strategy;
  stencil::Device device;  // for which the strategy decided
  stencil::Pipeline pipeline;
  std::vector<seg::StmPtr>
      stms;              // of the pipeline's stages; those within kernels of others are in the program no longer
  stencil::Trace trace;  // of the strategy
  std::vector<GroupRecord> groups;
  std::optional<stencil::PyramidDecision> pyramid = {};  // where stages are one, and the strategy is the default
};

}  // namespace heddle::lower
