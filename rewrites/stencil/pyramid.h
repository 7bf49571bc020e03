// Image pyramids among the stages of a pipeline, and what the model (multiresolution.h) says of them.
//
//   p1 = down(p0); p2 = down(p1); f0 = filter(p0); f1 = filter(p1); f2 = filter(p2); e1 = f1 + up(f2); e0 = f0 + up(e1)
//
//   level 0: reduce p1, filter f0, expand e0;    level 1: reduce p2, filter f1, expand e1;    level 2: filter f2
//
// A stage reduces if it reads an image that is some times larger than itself, it expands if it reads one that is some times smaller or, of its own size,
// what an expansion computed. A level's filters are all else of its size on which an expansion depends.
#pragma once

#include "rewrites/stencil/fit_tile.h"
#include "rewrites/stencil/group.h"
#include "rewrites/stencil/multiresolution.h"

namespace heddle::stencil {

struct PyramidStages {
  int64_t points = 0;  // of the level's images
  std::vector<size_t> reduce, filter, expand;
};

// What the models of stages do not know of them.
struct StageFacts {
  std::vector<size_t> reads_elsewhere;  // stages that it reads, not in windows
  int64_t points_of_thread = 1;         // in a kernel of its own
};

// Levels, the finest first; none where there are fewer than three, or fewer than two with filters.
std::vector<PyramidStages> find_pyramid(const Pipeline& p, const std::vector<StageFacts>& facts);

struct PyramidDecision {
  std::vector<PyramidStages> stages;  // by level
  Pyramid pyramid;
  Schedule schedule;
  bool may_choose = true;  // whether kernels may run side by side at all
  double planned_us = 0;   // of the kernels that compute all this by the partition, one after the other

  // Filters that should be kernels of their own, since they run beside each other and that is faster than the partition's kernels.
  std::vector<size_t> filters_apart() const;
};

// How long kernels take is estimated from what stages compute. None if there is no pyramid.
std::optional<PyramidDecision> decide_pyramid(const Pipeline& p, const std::vector<StageFacts>& facts,
                                              const Device& device, const std::vector<Group>& groups,
                                              const FitModel& fit, const MultiresolutionModel& model = {});

// A line for each level, and what follows.
std::vector<std::string> text(const PyramidDecision& decision);

}  // namespace heddle::stencil
