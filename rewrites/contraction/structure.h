// What the index maps of a contraction say about how it can be tiled.
#pragma once

#include "rewrites/contraction/footprint.h"

namespace heddle::contraction {

struct Structure {
  std::vector<std::vector<DimMap>> maps;  // per operand and dimension

  // Per index of the reduction: whether it moves a window over some operand, so that its extent must be a constant for
  // neighbouring windows to overlap in registers.
  std::vector<bool> window;
  // Whether groups of indices may reach beyond the extent, since all that they read there is zero and adds nothing.
  std::vector<bool> may_overrun;
  // Per parallel index: whether a thread's points are as far apart as there are threads along it, so that neighbouring
  // threads read neighbouring rows. Else they are neighbours, which share elements or lie next to each other in memory.
  std::vector<bool> interleaved;
  // Per operand: whether registers are loaded for a whole group of reduction indices, because neighbouring members of
  // the group share elements or read neighbours.
  std::vector<bool> by_group;
};

Structure structure_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers);

}  // namespace heddle::contraction
