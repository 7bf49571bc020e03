// Moves neighbouring elements at once.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for e in W (serial) { let x = t * W + e; if x < n { let sum = acc[e]; out[y][x] := sum; } }
//   becomes
// if n % W == 0 { if t * W < n { for e in W (vector) { out[y][t * W + e] := acc[e]; } } }
// else { for e in W (serial) { ... as before ... } }
// and without the test where W divides the extent of rows whatever their size. What is computed rather than moved is
// computed into registers first:
// for e in W (serial) { out[t * W + e] := acc[e] + 1 }
//   becomes
// alloc values: register f32[W];
// for e in W (unrolled) { values[e] := acc[e] + 1; }
// for e in W (vector) { out[t * W + e] := values[e]; }
//
// Legal for a loop of constant extent that does one store, if both places move by one element along the last dimension
// with the loop; the first one is a multiple of W away from the beginning of its buffer, and buffers begin where the
// widest access may; conditions have the same outcome for all elements; and nothing is read from the buffer that is
// written.
Result<Rewritten> vectorize(const Kernel& kernel, const Name& loop, NameSource& names);

}  // namespace heddle::nest
