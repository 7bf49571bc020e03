// Has versions of an array that lie densely yield it as one dimension.
//
//   let {c : [h][w]f32} = if <equiv> b then { let {x} = segmap... in {x} } else { let {y} = segmap... in {y} }
// becomes
//   let {n} = h * w
//   let {flat : [n]f32} = if <equiv> b then { let {x} = segmap... let {x'} = reshape([n], x) in {x'} } else {...}
//   let {c : [h][w]f32} = reshape([h][w], flat)
// Of an array that is one of several the host's compiler forgets how its rows lie, and copies it where that has to be known,
// such as where it is a result of the program. An array of one dimension can only lie in one way.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// `stms`: the last may be such versions, each of which ends in the kernel that computes it (the first in several), which stores it row by
// row; else they stay as they are. `is_copied`: what they compute has to lie row by row behind them, as a result of the program has. Then
// only the first must end in its kernel, and the copy is made in the other, if that lies in another order.
Stms with_flat_versions(Stms stms, bool is_copied, NameSource& names);

}  // namespace heddle::seg
