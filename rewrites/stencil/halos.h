// How far each stage of a group must be computed beyond its own part of a tile: tight overlapped tiles (Zhao and Cohen,
// Flextended Tiles, ACM TACO 2019).
//
//   a(i) = f(i)
//   b(i) = (a(i-1) + 2*a(i) + a(i+1)) / 4
//   c(i) = (b(i-2) + 2*b(i) + b(i+2)) / 4      in tile t of 64 points of c, beyond 64t .. 64t+63 at the left and right:
//
//        scalene    rectangle           uniform
//   c    0  0       0  0   at i+3       0  0
//   b    2  2       4  0   at i+1       2  2
//   a    3  3       6  0   at i         4  4
//
// Widths follow from reads alone and hold for all tiles, sizes and borders.
#pragma once

#include "rewrites/stencil/align.h"

namespace heddle::stencil {

enum class TileShape {
  Scalene,   // widened at both sides: stages run one after another (section 4)
  Rectangle  // stages shifted so that all reads go backwards, then widened at the left: for steps of time (section 5)
};

// Of one dimension of a stage. For tile number t of T points along the tile's dimension, and P = T * scale points of
// the stage, it is computed at P*t - left - shift .. P*(t+1) - 1 + right - shift (section 6,
// as boxes).
struct Halo {
  std::optional<Aligned> aligned;  // none: at `fixed`, for all tiles
  int64_t left = 0, right = 0;     // negative where only points further in are read
  int64_t shift = 0;
  Interval fixed = {};
  // Whether its indices go on beyond the image's border, where the elements of the other end stand: -1 is n-1, and so
  // is n-1 itself, where the tile has it; else they end there.
  bool wraps = false;

  bool operator==(const Halo&) const = default;
};

struct Halos {
  Group group;
  size_t tile_dims;
  std::vector<std::vector<Halo>> stages;  // in the group's order, by dimension

  const std::vector<Halo>& of(size_t stage) const;
};

// Tight halos, with a shape for each dimension of the tile; scalene where none is given. Refused is what alignment
// refuses, wrapped stages that are sampled or of another extent than the last one, and sampling along the dimension of a rectangle.
//
// Reads beyond the border: those of clamped and mirrored images find their elements in the same tile, since such
// windows count as wide as the exchanged indices need; it presupposes that the image read is as large as the reader, at
// its scale.
Result<Halos> tight_halos(const Pipeline& p, const Group& g, const std::vector<TileShape>& shapes = {});

// To compare with: one slope for each side of the whole group, as PolyMage has it. Each level between a stage and the
// last one costs as much as the steepest read of the group; shapes as above.
Result<Halos> uniform_halos(const Pipeline& p, const Group& g, const std::vector<TileShape>& shapes = {});

// How far each stage reaches beyond its part of a tile, by dimension, left + right:
//   blurx 0+0 x 2+2; blury 0+0 x 0+0                 a 6+0; b 4+0 at 1; c 0+0 at 3
std::string text(const Pipeline& p, const Halos& halos);

}  // namespace heddle::stencil
