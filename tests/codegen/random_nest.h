// Random kernels: nests of loops of all roles around arithmetic on affine accesses, branches, registers and calls.
#pragma once

#include "ir/nest/eval.h"

namespace heddle::codegen {

struct RandomCase {
  nest::Kernel kernel;
  std::vector<prim::Value> scalars;
  std::vector<nest::Memory> buffers;
};

// Draws from RapidCheck, so only within one of its properties.
RandomCase random_case();

}  // namespace heddle::codegen
