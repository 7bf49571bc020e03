// What the index maps of a contraction say about how it can be tiled.
#pragma once

#include <algorithm>

#include "rewrites/contraction/footprint.h"

namespace heddle::contraction {

struct Structure {
  std::vector<std::vector<DimMap>> maps;  // per operand and dimension
  // Per operand: its dimensions in the order that they have in shared memory. A thread reads neighbours there along the
  // last of them.
  std::vector<std::vector<size_t>> staged;
  bool turned(size_t operand) const { return !std::is_sorted(staged[operand].begin(), staged[operand].end()); }

  // Per index of the reduction: whether it moves a window over some operand, so that its extent must be a constant for
  // neighbouring windows to overlap in registers.
  std::vector<bool> window;
  // Whether groups of indices may reach beyond the extent, since all that they read there is zero and adds nothing.
  std::vector<bool> may_overrun;
  // Per parallel index: whether a thread's points may lie apart, because they share no elements.
  std::vector<bool> separable;
  // Per operand: whether registers are loaded for a whole group of reduction indices, because neighbouring members of
  // the group share elements or read neighbours.
  std::vector<bool> by_group;
};

Structure structure_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers);

}  // namespace heddle::contraction
