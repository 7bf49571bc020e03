// Asks with one comparison whether a place is within an array.
//
//   let x_1 = 0 <= i_2                        let b_5 = i_2 <u n_4
//   let y_3 = i_2 < n_4            =>
//   let b_5 = x_1 && y_3
//
// of integers of 64 bits, of which each comparison is two instructions or three. A size is not negative, so that what is negative is larger when seen as
// without sign. The transforms of 50000 rows of 512 complex numbers, nine steps of each with three checks, took 1.23 ms in place of 1.40 (H200).
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// Where n is the size of one of the kernel's arrays, or a constant.
Block bounds_at_once(const Kernel& kernel);

}  // namespace heddle::nest
