// Writes the places of elements that unrolled loops read and write as what is the same in all rounds, and what the round adds to it: so
// the device's compiler sees which elements several rounds read, and computes what follows from them once.
//
//   for r_1 in 4 (unrolled) {                       for r_1 in 4 (unrolled) {
//     let y_2 = first_3 + r_1                         let y_2 = first_3 + r_1
//     let u_5 = a_4[2 * y_2]                  =>      let u_5 = a_4[2 * first_3 + 2 * r_1]
//     let v_6 = a_4[2 * y_2 + 2]                      let v_6 = a_4[2 * first_3 + (2 * r_1 + 2)]
//   }                                               }
//
// It takes products of sums apart only where they have one use.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// `body`: of an unrolled loop over `round`.
Block split_indices(const Block& body, const Name& round);

}  // namespace heddle::nest
