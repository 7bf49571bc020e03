// Has a thread keep in registers what it is about to read of an array that it has just written.
//
// for i in n (serial) {                      alloc last: register t;
//   let x = ys[i];                           if 0 < n { last[] := ys[0]; }
//   let v = f(x, i);                         for i in n (serial) {
//   ys[i + 1] := v;                    =>      let x = last[];
// }                                            let v = f(x, i);
//                                              ys[i + 1] := v;
//                                              last[] := v;
//                                            }
//
// Each step of such a loop waits until what the step before has stored is there to be read. So are carried the elements of up to
// kMostCarried steps before, where the loop writes each of its elements once, in straight line, and nobody else does meanwhile, nor may a check end the thread. What
// stands behind a condition on the index alone is read before the loop under that condition.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Kernel keep_last_steps(Kernel kernel, NameSource& names);

}  // namespace heddle::nest
