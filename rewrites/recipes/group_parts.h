// What kernels of groups of stages have in common, however they go over the image.
#pragma once

#include "rewrites/recipes/strip_code.h"
#include "rewrites/recipes/tile_places.h"

namespace heddle::lower {

using Stages = std::vector<const StageCode*>;

// Whether another stage of the group reads the stage's result `k`.
bool is_read_in_group(const Stages& stages, size_t s, size_t k);

// What a stage's point does, with names of its own, since stages that compute the same elements of others' sources bind the same names.
nest::Block work_of_point(const nest::Block& work, const Places& places, NameSource& names);

// What holds where no point of a box is near a border of the stage's image, or beyond; a box that begins at `first` and has so many points.
// `may_be_negative`: by dimension, whether it may begin before the image.
std::vector<nest::Expr> away_from_borders(const StageCode& stage, const std::vector<nest::Expr>& first,
                                          const std::vector<int64_t>& extents,
                                          const std::vector<bool>& may_be_negative);

// The same for all stages of a tile, which has such a box of each.
nest::Expr are_away_from_borders(const Stages& stages, const TilePlaces& tile,
                                 const std::vector<std::vector<int64_t>>& boxes);

// With all of the stages' parameters that are used.
Launch launch_of_group(const std::string& name, nest::Block body, const nest::Expr& num_blocks, int64_t threads,
                       const Stages& stages);

// A block's warps, each of which has a tile of its own, and the numbers of warp and lane.
struct WarpsOfBlock {
  Name warp;
  int64_t warps;
  Name lane;
};
Launch tile_for_each_warp(const std::string& name, const nest::Block& of_tile, const TilePlaces& tile,
                          const WarpsOfBlock& block, const Stages& stages, NameSource& names);

// A kernel that computes shared parts of tiles in strips of at most so many rows. Whole strips need more than the tile, which has room; where
// they have none, they have fewer rows.
Launch with_room(const std::function<Launch(int64_t most_rows)>& kernel);

// Of a block, as far as it is known.
int64_t shared_bytes(const nest::Kernel& kernel);

}  // namespace heddle::lower
