// The tile with which a group becomes a kernel of overlapped tiles.
#pragma once

#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

// Points of the last wide dimension, and of the one before; those before have one.
struct TileSides {
  int64_t last, before;
};

struct FitModel {
  std::vector<TileSides> shapes = {{64, 32}, {64, 16}, {32, 16}, {32, 8}};  // in order of preference
  int64_t line = 1024;                                                      // points, where one dimension alone is wide
  // Of points, and of the work at all points: what is computed again for each that is needed, at most. The first is about memory
  // and waiting, the second keeps dear stages from being computed for cheap ones, as a sum of a row for each tile of the row.
  double most_redundant = 0.4;
  double most_redundant_work = 0.75;
  int64_t most_scratch = 48 * 1024;  // bytes
  // Of an image with fewer tiles, as a small level of a pyramid, a smaller tile is taken: where most of a device has nothing to do, what a
  // thread does one after the other is all that counts. A tile or two for each multiprocessor of a large device.
  int64_t few_tiles = 256;
};

struct FittedTile {
  Halos halos;
  Tile tile;
};

// The first of the model's tiles for which the stages' parts have room in the shared memory that every device has for a block, and
// not too much is computed again, and which are not few; the last if they are few with all. None if there is no such tile, or no
// overlapped tile at all.
std::optional<FittedTile> fit_tile(const Pipeline& p, const Group& g, const FitModel& model = {});

// Why there is none, as a clause; for the last of the tiles.
std::string why_no_tile(const Pipeline& p, const Group& g, const FitModel& model = {});

}  // namespace heddle::stencil
