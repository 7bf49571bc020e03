// How many steps of an iterated stencil become one kernel: overlapped tiles of space and time (Zhao and Cohen, Flextended Tiles,
// ACM TACO 2019, section 11), the depth by a model of what bounds a kernel.
//
//   step: b(x) = a(x-1) + a(x+1), and b is the next step's a          by two: b1(x) = a(x-1) + a(x+1); b2(x) = b1(x-1) + b1(x+1)
//
//   Jacobi's iteration in the plane, 4 bytes an element:      steps           1     2     4     8
//                                                             global bytes    8     4     2     1    for a point and step
//                                                             points again    0    5%   15%   36%    in tiles of 32 x 64
#pragma once

#include "rewrites/stencil/device.h"
#include "rewrites/stencil/fit_tile.h"

namespace heddle::stencil {

struct Iterated {
  Pipeline step;  // its inputs are all arrays that it reads; of those that stay as they are the windows may be unknown
  std::vector<Source> next;      // for each input, what it is in the next step: itself, another input or a stage
  std::vector<int64_t> loads;    // of a point of each stage, from arrays of the device
  bool until = false;            // each step decides whether there is another,
  int64_t reductions = 0;        // by so many reductions of what it computes
  std::string why_no_walk = {};  // what keeps warps from walking (walk.h), as a clause
};

// That many steps as one pipeline, in which what the step behind them is given is live out.
Result<Pipeline> unrolled(const Iterated& iterated, int64_t steps);

struct TimeTile {
  int64_t steps = 1;
  Tile tile = {};
  // The tile is a segment of a strip, by estimates of sizes, where there is one of these.
  std::optional<Stream> stream = {};
  std::optional<Walk> walk = {};
};

// What the model says of the kernels of some steps, for each of them.
struct StepCost {
  double microseconds = 0;
  double global_bytes = 0, shared_bytes = 0;  // for each point of the last stage
  double redundant = 0;                       // points computed again, for each point needed
  int64_t scratch = 0;                        // of a block
};

struct TimeTileDecision {
  std::optional<TimeTile> best;    // none: each step by itself
  std::vector<std::string> lines;  // one for each depth
};

// The schedule of a group that such a round has become.
Result<FittedTile> fitted_as(const TimeTile& chosen, const Pipeline& p, Halos halos, const FitModel& fit);

// What may be asked for at most.
constexpr int64_t kMostTimeSteps = 32;

// Warps walk by default where a step is one stage of plain arithmetic, which was measured; else tiles are chosen by the model.
// `num_steps`: how many there are, where that is known; `wanted`: this depth, if it can be at all. `fit`: whether streams are asked for, which
// then are taken for all depths that can have them.
TimeTileDecision choose_time_tile(const Iterated& iterated, const Device& device, std::optional<int64_t> num_steps,
                                  std::optional<int64_t> wanted = {}, const FitModel& fit = {});

}  // namespace heddle::stencil
