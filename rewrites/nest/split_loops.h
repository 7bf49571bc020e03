// Takes apart loops over flattened indices.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// for q in n * 3 (serial) { ... a[q / 3][q % 3] ... }
//   becomes  for i in n (serial) { for j in 3 (serial) { ... a[i][j] ... } }
// where q occurs in quotients and remainders by the same size only, and that divides the extent: so reshaped arrays are
// read without divisions, and at indices that are affine.
Block split_loops(const Block& block, seg::NameSource& names);

}  // namespace heddle::nest
