// Has a thread read at a time what several steps of a loop are going to need.
//
// for i in n (serial) { ys[i] := f(xs[i]); }
//   becomes
// let batches = max(n, 0) / 16;
// for b in batches (serial) {
//   let first = b * 16;
//   alloc ahead: register t[16];
//   for u in 16 (unrolled) { ahead[u] := xs[first + u]; }
//   for v in 16 (unrolled) { let i = first + v; ys[i] := f(ahead[v]); }
// }
// let done = batches * 16;
// for j in max(n, 0) - done (serial) { let i = done + j; ys[i] := f(xs[i]); }
//
// A device's compiler takes four steps at a time, and fewer where it does not see that what a step stores is not what the next one reads.
// Where there are few threads, they wait for memory most of the time, and as often less. Only what each step reads at a place that is
// known before, and that neither a step in between writes nor the step itself before it reads; of loops in straight line, which cannot fail,
// and of which the compiler does not know the length.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Kernel read_ahead(Kernel kernel, NameSource& names);

}  // namespace heddle::nest
