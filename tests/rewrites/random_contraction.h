// Random contractions, as lowering would find them, in the kernel that it found them in.
#pragma once

#include <unordered_map>

#include "ir/support/names.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::examples {

struct RandomContraction {
  recognize::Contraction match;
  lower::Launch direct;                       // without a body; the host's scalars have the kernel's names
  std::unordered_map<Name, int64_t> scalars;  // the host's, all of them positive
};

// Drawn from RapidCheck's source. Indices of operands are alone in a dimension, move windows over it with strides and
// dilations, run backwards or are several, also of one array; rows of arrays may be in any order in memory.
RandomContraction random_contraction(NameSource& names);

}  // namespace heddle::examples
