// Indices that run side by side through all arrays, taken as one.
#pragma once

#include <optional>

#include "ir/support/error.h"
#include "rewrites/contraction/view.h"

namespace heddle::contraction {

// Two parallel indices or two of the reduction.
struct SideBySide {
  Name slow, fast;
};

// What must hold for the two to run side by side. Refuses, with the reason, where they do not whatever the sizes are:
// every operand must be indexed by both of them or by none of them, in two dimensions next to each other and by nothing
// else, and so must the result by parallel ones. Where a window moves along with an index, one of the equations is that
// it has a single element.
Result<std::vector<Equation>> side_by_side(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers,
                                           const SideBySide& pair);

//   out[o][y][x] = sum over c, i, j of image[c][y + i][x + j] * filters[o][c][i][j]
// becomes, where i and j are always 0 and an image has as many columns as there are x,
//   out'[o][yx] = sum over c of image'[c][yx] * filters'[o][c]     where image'[c][y * columns + x] is image[c][y][x]
// The equations of side_by_side hold.
Viewed merged(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers, const SideBySide& pair,
              NameSource& names);

// All pairs that can be merged, one after the other, and what must hold for that; unless equations are allowed, those
// that can be merged whatever the sizes are. Nothing if there are none.
struct Merged {
  Viewed viewed;
  std::vector<Equation> equations;
};
std::optional<Merged> merge_all(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers,
                                bool with_equations, NameSource& names);

}  // namespace heddle::contraction
