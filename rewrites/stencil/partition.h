// Which stages of a pipeline become one kernel: several strategies behind one interface, each with a record of what it
// decided.
//
//   Harris, by minimum cuts: {dx} {dy} {sx, gx} {sxy, gxy} {sy, gy} {hc}
//
// A strategy is a file NAME.cpp.
#pragma once

#include "rewrites/stencil/fit_tile.h"
#include "rewrites/stencil/legality.h"
#include "rewrites/stencil/nested.h"
#include "rewrites/stencil/polymage_cost.h"
#include "rewrites/stencil/sioutas_cost.h"

namespace heddle::stencil {

enum class Strategy {
  None,      // each stage by itself
  Pairwise,  // Hipacc, algorithm 1: along edges without other readers or inputs
  MinCut,    // Hipacc, algorithm 2: cut where least is lost until what is left is legal
  Greedy,    // Sioutas: inline, then merge a group with its reader, the most gainful first
  Largest,   // whatever a tile has room for
  Dp         // PolyMage: the least sum of groups' costs, by bounded dynamic programming
};

// The models' constants.
struct Models {
  HipaccModel hipacc = {};
  SioutasModel sioutas = {};
  PolymageModel polymage = {};
  FitModel fit = {};
  // Whether points far from borders have code of their own, without tests of them.
  bool partition_borders = true;
  // Whether a group's stages are computed by those who read them, where these do well without a tile of theirs.
  bool dissolve_in_groups = true;
  Nesting nesting = Nesting::None;
  // Whether kernels that need nothing of each other run at the same time.
  bool side_by_side = true;
};

// What can be left out, for those who measure what it gains, by the names with which they do.
struct Part {
  std::string_view name;
  void (*leave_out)(Models& models);
};
constexpr std::array kParts{
    Part{"partitioned-borders", [](Models& m) { m.partition_borders = false; }},
    Part{"tight-halos", [](Models& m) { m.fit.tight_halos = false; }},
    Part{"points-in-registers", [](Models& m) { m.fit.points_in_registers = false; }},
    Part{"walks", [](Models& m) { m.fit.walk.columns.clear(); }},
    Part{"side-by-side", [](Models& m) { m.side_by_side = false; }},
};
constexpr const Part* find_part(std::string_view name) {
  for (const Part& p : kParts) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

// What was decided and why, for people: each line a step, with all numbers that it depends on.
struct Trace {
  std::vector<std::string> lines;
  // Groups looked at, cuts and the like: what the decision cost, on any machine.
  int64_t effort = 0;
};

struct Decision {
  Partition partition;
  Trace trace;
};

// By the names with which users choose: none, pairwise, min-cut, greedy, largest, dp.
struct NamedStrategy {
  std::string_view name;
  Strategy strategy;
};
constexpr std::array kStrategies{
    NamedStrategy{"none", Strategy::None},       NamedStrategy{"pairwise", Strategy::Pairwise},
    NamedStrategy{"min-cut", Strategy::MinCut},  NamedStrategy{"greedy", Strategy::Greedy},
    NamedStrategy{"largest", Strategy::Largest}, NamedStrategy{"dp", Strategy::Dp},
};
constexpr std::optional<Strategy> find_strategy(std::string_view name) {
  for (const NamedStrategy& s : kStrategies) {
    if (s.name == name) return s.strategy;
  }
  return std::nullopt;
}

Decision partition(const Pipeline& p, const Device& device, Strategy strategy, const Models& models = {});

}  // namespace heddle::stencil
