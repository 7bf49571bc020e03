// Has a thread that computes several points divide when all else of them is done.
//
//   for r_1 in 4 (unrolled) {                               alloc dividend_7: register f32[4]; alloc divisor_8: register f32[4]
//     let x_2 = a_3[y_4 + r_1]                              for r_1 in 4 (unrolled) {
//     let z_5 = x_2 / b_6[y_4 + r_1]              =>          let x_2 = a_3[y_4 + r_1]
//     v_7[r_1] := z_5                                         dividend_7[r_1] := x_2; divisor_8[r_1] := b_6[y_4 + r_1]
//   }                                                       }
//                                                           for k_9 in 4 (unrolled) { v_7[k_9] := dividend_7[k_9] / divisor_8[k_9] }
//
// A division of floats has a branch for numbers near the ends of their range, and the device's compiler loads nothing ahead of a branch: the points
// would wait for memory one after the other.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// `loop`: unrolled, computes the elements of these buffers, which are a thread's own. Yields what takes its place.
Block divisions_last(const Stmt& loop, const std::vector<Buffer>& values, NameSource& names);

}  // namespace heddle::nest
