// Windows that slide past a thread's points.
//
//   sum over c, i, j of image[c, y + i, x + j] * filter[c, i, j]   where a thread has eight points y below each other
// reads for a step i + 1 what it has read for i, but one row. So several steps i together read as many rows more than one, once.
#pragma once

#include "rewrites/seg/tile_contraction.h"

namespace heddle::seg {

// An index of the reduction along which windows slide past a thread's points, of which the one reads at a step what its neighbour
// reads at the next.
struct Sliding {
  size_t index = 0;
  std::vector<std::optional<size_t>> points;  // by operand: the parallel index that it slides along
};
std::optional<Sliding> sliding(const TiledContraction& c);

}  // namespace heddle::seg
