// How a tiled kernel follows from the direct nest by one rewrite after the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/contraction/direct_nest.h"
#include "rewrites/contraction/tiling.h"

namespace heddle::contraction {

struct Step {
  std::string name;        // of the rewrite
  std::string parameters;  // what it is applied to, for people
  std::string why_legal;
  nest::Kernel kernel;  // after the step
  std::string reached;  // what the nest is now, if that has a name
  bool reorders;        // the steps of the reduction, so that sums of floats are rounded differently from here on
};

// The direct nest as two kernels, for results that are too few to keep all multiprocessors busy (split.h): the first one
// reduces parts of all, the second one their results and what is left.
struct InParts {
  std::string parameters;
  std::string why_legal;
  nest::Kernel first, second;
  Name parts, each;   // scalars of theirs
  nest::Expr extent;  // of what is split: parts times each are at most so many
};

struct Derivation {
  DirectNest direct;  // the constants of all steps are the kernel's
  Tiling tiling;      // ..., those of them that the kernel that runs has
  std::vector<Step> steps;
  std::optional<InParts> in_parts = {};
  std::vector<std::string> left_out = {};  // steps that the nest does without: which, and why
  std::string stopped = {};                // where a rewrite was refused before the end: which, and why
};

// First small rewrites (rewrites/nest) make block tiles and register tiles of all parallel indices, as the thesis' figures
// have them: T threads of a block along an index with R points each. Then the schedule's (schedule_steps.h) lead to the
// kernel that runs, whose constants are a tiling's.
//
// `lowered` is the kernel that the contraction was recognized in.
Derivation derive(const recognize::Contraction& c, const nest::Kernel& lowered);

}  // namespace heddle::contraction
