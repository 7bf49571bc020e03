// Operands in another order of dimensions.
#pragma once

#include "rewrites/recipes/way.h"

namespace heddle::lower {

// A transposed array is one with another order of dimensions: the one in which its last is contiguous.
void put_contiguous_last(Way& way);

//   sum over c, i, j of image[c][y + i][x + j] * filters[o][c][i][j]
// becomes a copy that puts filters[o][c][i][j] at packed[c][i][j][o], so that the values that neighbouring threads need
// lie next to each other, and
//   sum over c, i, j of image[c][y + i][x + j] * packed[c][i][j][o]
// Nothing where no operand is worth it.
std::optional<Way> packed(Way way, NameSource& names);

}  // namespace heddle::lower
