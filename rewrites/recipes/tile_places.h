// Which tiles a group of stages has, and where in the stages' images the parts of a tile lie.
//
//   b[y][x] := a[y][x-1] + a[y][x+2], both stored       tile of 64 points of b: tile number t of max(ceil(w_b/64), ceil(w_a/64))
//                                                       has b from 64*t on, 64 points, and a from 64*t - 1 on, 67 points
//
// Where an image is a torus (stencil::Halo::wraps), a tile's part of it goes on beyond the border: the place -1 stands for the point n - 1.
#pragma once

#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/fit_tile.h"

namespace heddle::lower {

class TilePlaces {
 public:
  // `is_stored`: as for group_kernel. All must outlive this. `of_piece`: of what a team goes over a tile in pieces for, the piece, whose first point
  // origins_at tells.
  TilePlaces(const std::vector<const StageCode*>& stages, const std::vector<bool>& is_stored,
             const stencil::FittedTile& schedule, NameSource& names, bool of_piece = false);

  size_t dims() const { return tile_.size(); }
  // Along dimension `d` of the tile: the tile's number, and how many there are, as many as the largest of the results needs.
  const Name& number(size_t d) const { return numbers_[d]; }
  nest::Expr count(size_t d) const;
  // Of the tile of that number: its first point, by dimension.
  nest::Block origins() const;
  nest::Block origins_at(const std::vector<nest::Expr>& first) const;
  nest::Expr origin(size_t d) const;

  // The first point of a stage that is in the tile, in its dimension `d`, and how many there are, by dimension.
  nest::Expr first_of(size_t s, size_t d) const;
  std::vector<int64_t> box(size_t s) const;
  // Where a stage's dimension goes along one of the tile's: which, and before which point of it a tile must begin for the stage's first point to
  // lie before `end`.
  struct Begin {
    size_t tile_dim;
    nest::Expr before;
  };
  std::optional<Begin> begins_before(size_t s, size_t d, const nest::Expr& end) const;
  bool may_be_negative(size_t s, size_t d) const;
  // Those of a stage's part of a tile that no other tile has for its own, counted from its first, along a dimension that goes with the tile's.
  stencil::Interval own_points(size_t s, size_t d) const;

  // Whether tiles have parts of a stage's dimension; else all have the same.
  bool goes_along(size_t s, size_t d) const { return halos_.stages[s][d].aligned.has_value(); }
  bool wraps(size_t s, size_t d) const { return halos_.stages[s][d].wraps; }
  // Of a dimension that wraps, whose part of the tile begins at `first`: whether the tile is one that exists. Warps may have others.
  nest::Expr exists(size_t s, size_t d, const nest::Expr& first) const;
  // The point for which a place stands, as the stage's index, where it is beyond a border.
  nest::Block at_other_end(size_t s, size_t d, const nest::Expr& place) const;

 private:
  bool for_warps() const {
    return schedule_.scope == stencil::TileScope::Warp || schedule_.scope == stencil::TileScope::Hybrid;
  }
  nest::Expr count_of_result(size_t s, size_t d) const;
  nest::Expr rotated(size_t d) const;
  bool is_only_tile(size_t d) const;
  const nest::Expr& extent(size_t s, size_t d) const { return stages_[s]->indices[d].extent; }

  const std::vector<const StageCode*>& stages_;
  const std::vector<bool>& is_stored_;
  const stencil::FittedTile& schedule_;
  const stencil::Halos& halos_;
  const stencil::Tile& tile_;
  NameSource& names_;
  bool of_piece_;
  std::vector<Name> numbers_, origins_;  // by dimension
};

}  // namespace heddle::lower
