// Takes apart loops over flattened indices.
#pragma once

#include "ir/nest/index_map.h"

namespace heddle::nest {

// for q in n * 3 (serial) { ... a[q / 3][q % 3] ... }
//   becomes  for i in n (serial) { for j in 3 (serial) { ... a[i][j] ... } }
// where q is divided by one size only, which divides the extent, too: so reshaped arrays are read without divisions,
// and at indices that are affine. Where q occurs in another way it becomes 3 * i + j. `definitions`: what the names in
// extents stand for; the names in the new extents come from there, too. `not_negative`: whether a size is known to be
// none that would turn the loop around.
using NotNegative = std::function<bool(const Expr&)>;
Block delinearize_loops(const Block& block, NameSource& names, const Definitions& definitions,
                        const NotNegative& not_negative);

}  // namespace heddle::nest
