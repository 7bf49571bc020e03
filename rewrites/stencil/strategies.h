// The strategies that partition.h lists.
#pragma once

#include "rewrites/stencil/partition.h"

namespace heddle::stencil {

Decision no_fusion(const Pipeline& p);

// Pairs of a stage and its only reader, which reads nothing else, and chains of them. At their ends they lose stages
// until they have room.
Decision pairwise(const Pipeline& p, const Device& device, const HipaccModel& model);

// All stages at first; what is not legal falls apart where edges weigh least.
Decision min_cut(const Pipeline& p, const Device& device, const HipaccModel& model);

// Inlines stages, then merges groups with their only readers, as long as the model says that it is cheaper.
Decision greedy(const Pipeline& p, const Device& device, const SioutasModel& model);

// From the last stages on, each with all those before that only its group reads, as long as a tile has room for their results.
Decision largest(const Pipeline& p, const FitModel& model);

// The partition into connected groups of which the costs' sum is least, in rounds of groups of groups (dp_fusion.h).
Decision dp_fusion(const Pipeline& p, const Device& device, const PolymageModel& model);

}  // namespace heddle::stencil
