// The second version of a contraction: tiled, and compiled for the sizes at hand.
#pragma once

#include "ir/support/error.h"
#include "rewrites/lower/lowered.h"

namespace heddle::lower {

// `direct` computes the contraction point by point. Refuses what no tiling suits, with the reason.
//
//   sum over c, i, j of image[c][y + i][x + j] * filters[o][c][i][j]
// becomes a launch that puts filters[o][c][i][j] at relaid[c][i][j][o], so that the values that neighbouring threads
// need lie next to each other, and a tiled kernel (contraction/tiled.h) in which the extents of i and j are constants.
Result<Specialized> specialize(const recognize::Contraction& match, const Launch& direct, seg::NameSource& names);

}  // namespace heddle::lower
