// What a tiling's cost depends on beside the device: a contraction as the runtime is told of it (struct hd_contraction
// in runtime/contraction/tiling.h), with expressions over the kernel's scalars for what is known when the kernel is launched.
#pragma once

#include <vector>

#include "ir/nest/nest.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

struct OperandShape {
  size_t buffer;  // its number among the buffers
  prim::Type elem;
  // Its dimensions have the order that they have in shared memory. The coefficients of all indices in the first one
  // come first.
  std::vector<nest::Expr> coefficients, constants;
  std::vector<nest::Expr> reach;  // how far all of the contraction's indices reach in each of them
  nest::Expr row;                 // how long the rows are in which it lies in memory; 0 where it has no dimensions
  bool by_group, transposed;
};

struct Shape {
  size_t num_parallel, num_reduction;
  std::vector<nest::Expr> extents;  // of the parallel indices, then of those of the reduction
  std::vector<bool> separable, window, may_overrun;
  prim::Type sum, result;  // what is reduced, and what is stored
  std::vector<OperandShape> operands;
  int64_t products;  // that a term is the sum of
};

Shape shape_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers);

}  // namespace heddle::contraction
