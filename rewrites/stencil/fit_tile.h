// The tile with which a group becomes a kernel of overlapped tiles.
#pragma once

#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

struct FittedTile {
  Halos halos;
  Tile tile;
};

// The largest of a few usual tiles for which the stages' parts have room in the shared memory that every device has for a block, and
// not too much is computed again; none if there is no such tile, or no overlapped tile at all.
std::optional<FittedTile> fit_tile(const Pipeline& p, const Group& g);

// Why there is none, as a clause; for the last of the tiles.
std::string why_no_tile(const Pipeline& p, const Group& g);

}  // namespace heddle::stencil
