// What follows from halos for tiles of a given size: the part of each stage in each tile, memory for it, and how much
// work is done.
#pragma once

#include "rewrites/stencil/halos.h"

namespace heddle::stencil {

// Points of the tile along each of its dimensions, at scale 1.
using Tile = std::vector<int64_t>;

// Dimensions of at most this constant extent hold parts of a point: colours, directions.
constexpr int64_t kNarrow = 8;

// A tile's sizes must be multiples of these, so that sampled stages have as many points in every tile.
Tile least_tile(const Halos& halos);

// The part of a stage's dimension in tile number t, as if the image went on for ever, and what of it lies in the image.
// Only the first is computed of a dimension that wraps, and else only the second.
Interval box(const Halo& h, int64_t tile_size, int64_t t);
Interval clipped(const Interval& box, const Interval& domain);

// How many points of a stage's dimension a tile has room for.
int64_t extent(const Halo& h, int64_t tile_size);
std::vector<int64_t> extents(const Halos& halos, size_t stage, const Tile& tile);

// The tiles along one dimension of the tile that cover the group's results.
Interval tiles_along(const Pipeline& p, const Halos& halos, size_t tile_dim, const Tile& tile);
int64_t num_tiles(const Pipeline& p, const Halos& halos, const Tile& tile);

// How many points of each stage, in the group's order, all tiles compute together (section 7), and how many the group's
// results need.
struct Work {
  std::vector<int64_t> computed, needed;

  // Points computed again, for each point needed.
  double redundant() const;
};

Work work(const Pipeline& p, const Halos& halos, const Tile& tile);

// Whether tiles cover all of the stage, whatever the sizes, where there are as many of them as it and the other results need.
bool is_covered(const Pipeline& p, const Halos& halos, size_t stage);

// Of a stage that tiles cover: whether it has the points of the last stage, at its scale.
bool is_as_large_as_last(const Pipeline& p, const Halos& halos, size_t stage);

// A stage whose result is read outside of the group, and which neither is the last nor covered; none if one kernel can store all.
std::optional<size_t> not_covered(const Pipeline& p, const Halos& halos);

// Memory of a tile for a stage's points; 0 if no other of the group reads it.
int64_t scratch_bytes(const Pipeline& p, const Halos& halos, size_t stage, const Tile& tile);

// ... for all of the group: all of it at once, and as much as is in use at a time when each stage
// takes what nobody reads any more.
struct Scratch {
  int64_t bytes = 0, peak_bytes = 0;
};

Scratch scratch(const Pipeline& p, const Halos& halos, const Tile& tile);

}  // namespace heddle::stencil
