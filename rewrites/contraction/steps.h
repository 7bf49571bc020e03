// How a tiled kernel follows from the direct nest by one rewrite after the other.
#pragma once

#include <string>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/contraction/direct_nest.h"

namespace heddle::contraction {

struct Step {
  std::string name;        // of the rewrite
  std::string parameters;  // what it is applied to, for people
  std::string why_legal;
  nest::Kernel kernel;  // after the step
  std::string reached;  // what the nest is now, if that has a name
};

struct Derivation {
  DirectNest direct;
  std::vector<Step> steps;
  std::string stopped;  // where a rewrite was refused before the end: which, and why
};

// Block tiles of all parallel indices; register tiles of all but the last one, or of the only one; the two operands'
// tiles in shared memory, one step of the reduction at a time, and each thread's part of them in registers; loops of
// constant extent unrolled. Tile sizes are named constants of the kernel: T for threads of a block, R for points of a
// thread, and C for indices of the reduction that are staged at once.
//
// `lowered` is the kernel that the contraction was recognized in.
Derivation derive(const recognize::Contraction& c, const nest::Kernel& lowered);

}  // namespace heddle::contraction
