// Turns the end of a last tile into a test.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in min(T, n - t * T) { let y = t * T + i; S(y) }
//   becomes
// for i in T { let y = t * T + i; if y < n { S(y) } }
// so that the extent is the same in all tiles.
//
// Legal for every loop over a minimum: the test fails in just the iterations that are added.
Result<Rewritten> predicate(const Kernel& kernel, const Name& loop);

}  // namespace heddle::nest
