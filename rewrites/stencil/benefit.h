// What it would save to have a stage and the one that reads it in one kernel: Hipacc's weights of edges (Qiao's thesis,
// (3.4)-(3.14)).
//
//   Harris, sx -> gx, a point read in a window of 3x3:
//   400 cycles for global memory, less 4 * 2 operations * 1 input * 9 = 328
#pragma once

#include "rewrites/stencil/legality.h"

namespace heddle::stencil {

enum class Scenario { PointBased, PointToLocal, LocalToLocal };

struct EdgeBenefit {
  size_t producer, consumer;
  Scenario scenario;
  // In cycles for each point of the pipeline's largest stage; images of other sizes count by theirs.
  double saved;       // delta: for memory
  double recomputed;  // phi: for what is computed again
  double gain;        // saved - recomputed + what the model has for a launch less
  // Why the two alone are no kernel; which says nothing of larger groups.
  std::optional<std::string> pair_illegal;
  // Whether nothing is gained: then no kernel may have the edge inside.
  bool unprofitable;

  bool is_epsilon() const { return pair_illegal || unprofitable; }
  double weight() const;  // what a cut through the edge loses (3.6), (3.14)
};

// What edges weigh at least: so little that many of them are less than a cycle.
constexpr double kEpsilon = 1.0 / (1 << 20);

// In the order of Pipeline::edges.
std::vector<EdgeBenefit> benefits(const Pipeline& p, const Device& device, const HipaccModel& model);

// 328, 2eps, 328+eps: of a set of edges.
std::string weight_text(const std::vector<EdgeBenefit>& edges);

}  // namespace heddle::stencil
