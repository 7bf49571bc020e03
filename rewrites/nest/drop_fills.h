// Leaves out loops that fill an array of which a thread stores all elements again before it reads any.
//
// for i in n (serial) { ys[i] := 0; }
// for j in n (serial) {                      for j in n (serial) {
//   ys[j] := f(xs[j]);                =>       ys[j] := f(xs[j]);
// }                                          }
//
// Loops that put an array together element by element begin with such a fill, since an array has to be something before. What they read of
// the steps before is in registers by then (keep_last_steps.h).
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Kernel drop_fills(Kernel kernel);

}  // namespace heddle::nest
