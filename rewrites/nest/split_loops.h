// Takes apart loops over flattened indices.
#pragma once

#include "ir/nest/index_map.h"

namespace heddle::nest {

// for q in n * 3 (serial) { ... a[q / 3][q % 3] ... }
//   becomes  for i in n (serial) { for j in 3 (serial) { ... a[i][j] ... } }
// where q occurs in quotients and remainders by the same size only, and that divides the extent: so reshaped arrays are
// read without divisions, and at indices that are affine.
// `definitions`: what the names in extents stand for; the names in the new extents come from there, too.
Block split_loops(const Block& block, seg::NameSource& names, const Definitions& definitions);

}  // namespace heddle::nest
