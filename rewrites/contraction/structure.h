// What the index maps of a contraction say about how it can be tiled: facts, which schedules (schedule.h) keep to.
#pragma once

#include "rewrites/contraction/dim_maps.h"

namespace heddle::contraction {

struct Structure {
  std::vector<std::vector<DimMap>> maps;  // per operand and dimension
  // Per index of the reduction: whether it moves a window over some operand, so that its extent must be a constant for
  // neighbouring windows to overlap in registers.
  std::vector<bool> window;
  // Whether groups of indices may reach beyond the extent, since all that they read there is zero and adds nothing.
  std::vector<bool> may_overrun;
  // Per parallel index: whether a thread's points may lie apart, because they share no elements.
  std::vector<bool> separable;
};

Structure structure_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers);

}  // namespace heddle::contraction
