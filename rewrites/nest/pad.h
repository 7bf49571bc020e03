// Lets the rows of a buffer begin farther apart.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// alloc tile: shared f32[Y][X]
//   becomes, for a quantum of W and a padding of P,
// alloc tile: shared f32[Y][X] strides ((X + W - 1) / W * W + P, 1)
// so that all rows begin where an access of W elements may, or in another bank of shared memory than their neighbours.
//
// Legal for shared memory and registers with at least two dimensions: nothing can be where the padding lies. Not so
// where several elements are moved at once already, for which rows must begin where they do. `quantum` is positive and
// `padding` not negative, and both are constant.
Result<Rewritten> pad(const Kernel& kernel, const Name& buffer, const Expr& quantum, const Expr& padding,
                      NameSource& names);

}  // namespace heddle::nest
