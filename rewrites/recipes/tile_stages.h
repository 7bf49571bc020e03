// The stages of a group in a tile: which are computed by themselves and which with their readers, and what a team of threads does for each, far from
// the image's borders and at them. Who has which tile, and where the shared buffers come from, others decide (group.h, hybrid.h).
#pragma once

#include <memory>

#include "rewrites/recipes/group_parts.h"
#include "rewrites/recipes/tile_places.h"
#include "rewrites/recipes/tile_turns.h"

namespace heddle::lower {

class TileStages {
 public:
  // `tile`: how large the tile is, of those that `places` tells of, or a part of it that begins where it does. `own_part`: the first
  // indices of shared buffers, that tell whose part it is. In strips of at most `most_rows`.
  TileStages(const Stages& stages, const std::vector<bool>& is_stored, const TilePlaces& places,
             const stencil::FittedTile& schedule, const stencil::Tile& tile, const TeamOfThreads& team,
             std::vector<nest::Expr> own_part, int64_t most_rows, NameSource& names);
  ~TileStages();

  // Whether the stage is computed by itself; its results then lie in shared memory, where others of the group read them.
  bool is_alone(size_t s) const;
  // The points of a stage that are computed far from borders, where strips end with whole ones, and those that are needed.
  const std::vector<int64_t>& inside_box(size_t s) const;
  std::vector<int64_t> box(size_t s) const;

  // For each stage that is alone, in order: names for its first point in the tile, and the buffers of its results that are read.
  nest::Block name_first(size_t s);
  const std::vector<nest::Expr>& first(size_t s) const;
  void keep_in_shared(size_t s, const std::vector<std::optional<Name>>& buffers);

  // What a stage's points in the tile compute, where all are far from borders, and anywhere. After the former none of the latter may be far, so that
  // tiles have points beyond the borders of tori from go_beyond_borders on.
  nest::Block inside_borders(size_t s);
  void go_beyond_borders();
  nest::Block at_border(size_t s);

  // What the points of all layers at a place far from borders compute, what is computed with them included. What is read of the group is at these
  // places; names for the rows and columns of the stage's indices are bound.
  struct Layer {
    nest::Block names;  // binds the other indices
    Places results;
  };
  nest::Block points_inside(size_t s, const Places& read, const std::vector<Layer>& layers);
  // All that it reads.
  std::vector<recognize::WindowedRead> reads(size_t s) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::lower
