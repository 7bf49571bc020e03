// Which dimension of a group's tile each dimension of its stages goes along with, and how many points there are for one
// of the tile's: alignment and scaling (PolyMage-GPU, section 2; Flextended Tiles, section 10.1).
//
//   down(y, x) = fine(2*y, 2*x)      the tile is of points of down:  down: y, x at scale 1    fine: y, x at scale 2
//
// Overlapped tiles need every read within the group to lie at a constant offset after this; a group where dimensions
// cannot be aligned so is refused.
#pragma once

#include "rewrites/stencil/group.h"

namespace heddle::stencil {

// A positive fraction in lowest terms.
struct Ratio {
  int64_t num = 1, den = 1;

  bool operator==(const Ratio&) const = default;
};

Ratio times(const Ratio& a, int64_t num, int64_t den);

struct Aligned {
  size_t tile_dim;
  Ratio scale;  // points of the stage for one of the tile

  bool operator==(const Aligned&) const = default;
};

// For each stage of the group, in its order, and each dimension; none: its extent does not follow the tile, all tiles
// need the same part of it. The tile has the dimensions of the group's last output, at scale 1.
struct Alignment {
  size_t tile_dims;
  std::vector<std::vector<std::optional<Aligned>>> stages;
};

Result<Alignment> align(const Pipeline& p, const Group& g);

}  // namespace heddle::stencil
