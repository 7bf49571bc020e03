// Takes a factor that is the same for all terms of a sum out of it, where the sum is a part of another one over the factor: what is left does not
// know which part it is, so that a thread whose points read the same rows computes each row's sum once.
//
//   for i_1 in 5 (serial) {                              for i_1 in 5 (serial) {
//     for j_2 in 5 (serial) {                              alloc sum_9: register i16
//       let t_3 = s_4[]                                    sum_9[] := 0i16
//       let w_5 = zext i64 (i_1 + 1) * (j_2 + 1) to i16    for j_2 in 5 (serial) {
//       let x_6 = w_5 * a_7[y_8 + i_1][x_9 + j_2]   =>       let x_6 = zext i64 (j_2 + 1) to i16 * a_7[y_8 + i_1][x_9 + j_2]
//       s_4[] := t_3 + x_6                                   sum_9[] := sum_9[] + x_6
//     }                                                    }
//   }                                                      s_4[] := s_4[] + zext i64 (i_1 + 1) to i16 * sum_9[]
//                                                        }
//
// Of integers only, of which sums and products wrap around: those of any 2^n are a ring, and the low bits of a product are those of its
// factors' low bits.
#pragma once

#include "ir/nest/nest.h"
#include "ir/support/names.h"

namespace heddle::nest {

Block factor_sums(const Block& block, NameSource& names);

}  // namespace heddle::nest
