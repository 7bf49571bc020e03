// Lets copies into shared memory run ahead of what is computed from them.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for k in n (serial) {
//   alloc a_tile: shared f32[T];
//   for piece in ... { let at = ...; if at < T { let from = ...; a_tile[at] := from < m ? a[from] : 0; } }
//   barrier;
//   S(a_tile)
//   barrier;
// }
//   becomes, for copies that are `ahead` iterations, A, ahead, and so with A + 1 stages of the tile,
// alloc a_tile: shared f32[A + 1][T];
// for k_ahead in A (serial) {
//   if k_ahead < n { for piece in ... { ...; copy 1 elements a_tile[k_ahead][at] := a[from] if from < m; } }
//   commit copies;
// }
// for k in n (serial) {
//   wait for copies but A - 1;
//   barrier;
//   let k_next = k + A;
//   if k_next < n { for piece in ... { ...; copy 1 elements a_tile[k_next % (A + 1)][at] := a[from] if ...; } }
//   commit copies;
//   let k_stage = k % (A + 1);
//   S(a_tile[k_stage])
// }
//
// Legal if an iteration begins with nothing but copies of single elements that nothing writes, or of zeros, to tiles of
// its own, has its only barriers after these and at its end, and writes nothing but registers in between: a stage is
// filled again one iteration after it was read, behind the barrier of that iteration. Where a serial loop is around, a
// barrier ends what it does. `ahead` is a positive constant.
Result<Rewritten> pipeline(const Kernel& kernel, const Name& loop, const Expr& ahead, NameSource& names);

}  // namespace heddle::nest
