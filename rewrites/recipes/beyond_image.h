// Tiles at an image's borders, which go on beyond it: what stands at the places there, and what the stages of a group compute then.
//
//   b[y] := a[max(y-1, 0)] + a[min(y+1, h-1)]       tile of 8 points, from 8*t on: its part of a from 8*t - 1 on, 10 places, where place -1
//                                                   stands for the point 0 and place h for h - 1; b is a[y-1] + a[y+1] everywhere
#pragma once

#include "rewrites/recipes/group_parts.h"

namespace heddle::lower {

class BeyondImage {
 public:
  // Both must outlive this.
  BeyondImage(const Stages& stages, const TilePlaces& places);

  // What a stage's point computes: over names for its indices and for the place that it has in tiles (StageCode::beyond), by which it reads what
  // other stages left there.
  const nest::Block& work(size_t s) const { return work_[s]; }
  // Whether others read the stage beyond the border of a dimension that is no torus.
  bool is_read(size_t s, size_t d) const { return exchanges_[s][d].has_value(); }

  // The points of a stage that are in a tile and in the image: the first and the last one by dimension. Of tori all places are points.
  struct Part {
    std::vector<nest::Expr> first, last;
    nest::Expr some_exist;
  };
  // Of a box of so many places that begins there.
  Part part(size_t s, const std::vector<nest::Expr>& first, const std::vector<int64_t>& box, NameSource& names,
            nest::Block& lets) const;
  // The point of that part that a place stands for, where it is read, as the stage's index.
  nest::Block point_at(size_t s, size_t d, const nest::Expr& place, const Part& part) const;

 private:
  std::optional<size_t> made_by(const Name& array) const;

  const Stages& stages_;
  const TilePlaces& places_;
  std::vector<nest::Block> work_;
  std::vector<std::vector<std::optional<recognize::Exchange>>> exchanges_;  // by stage and dimension
};

}  // namespace heddle::lower
