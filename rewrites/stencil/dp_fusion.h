// The cheapest partition of a pipeline into connected groups, by dynamic programming with bounds (PolyMage's DP-Fusion:
// Jangda and Bondhugula, PPoPP 2018; the bounded form that PolyMage-GPU uses).
//
// A state is the set of stages that have run; a step runs one group more. So each partition that can run is a way
// through the states, groups never overlap, and no successor counts twice. In the first round groups have at most 8
// stages; what was chosen are the stages of the next round, with groups of twice as many, until a group may hold all.
#pragma once

#include <functional>

#include "rewrites/stencil/partition.h"

namespace heddle::stencil {

// None where the group cannot be.
using GroupCost = std::function<std::optional<double>(const Group&)>;

// With these, the result is the best one as long as the pipeline has no more than `group` stages, which a record says
// otherwise.
struct DpBounds {
  size_t group = 8;          // stages in the first round's groups
  size_t candidates = 1500;  // groups that a round looks at, the small ones first
  size_t states = 64;        // that are kept of all with as many stages, the cheap ones first
};

constexpr size_t kMostStages = 256;

// Stages by themselves must have a cost. Pipelines of more than kMostStages stay as they are.
Decision dp_fusion(const Pipeline& p, const GroupCost& cost, const DpBounds& bounds = {});

}  // namespace heddle::stencil
