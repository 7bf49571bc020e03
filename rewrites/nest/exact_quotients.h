// Divides integers that have become floats by constants with products, where the quotient is the same to the last bit.
//
//   let x_1 = uitofp u8 a_2[i_3] to f32             let x_1 = uitofp u8 a_2[i_3] to f32
//   let y_4 = x_1 / 255f32                  =>      let y_4 = fma32(fma32(x_1 * r, -255f32, x_1), r, x_1 * r)         r: 1 / 255, rounded
//
// The device divides with eight instructions and a branch for numbers near the ends of the floats' range, before which it loads nothing
// ahead. An integer is not near them. A correction of the product by its remainder is exact for all 8- and 16-bit integers or it is not
// taken: all of them are tried. For others it is done twice: the first makes one of the two floats that are next to the quotient, the second the
// nearest (Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, IBM J. Res. Dev. 34, 1990, theorem 7.2).
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Block exact_quotients(const Block& block);

}  // namespace heddle::nest
