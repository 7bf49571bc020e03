// Leaves out the barriers of a block since whose last one no thread has touched memory that others see.
//
//   barrier                              barrier
//   for i_1 in n_2 (serial) {            for i_1 in n_2 (serial) {
//     barrier                       =>
//     a_3[t_4] := b_5[i_1]                 a_3[t_4] := b_5[i_1]
//     barrier                              barrier
//   }                                    }
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// Of what a kernel's threads do from its beginning on.
Block drop_barriers(const Block& block);

}  // namespace heddle::nest
