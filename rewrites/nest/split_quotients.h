// Divides sums of which a part is a multiple of the divisor part by part, and takes remainders of the rest alone:
//
//   let y_1 = tile_2 * 32 + row_3                   let y_1 = tile_2 * 32 + row_3
//   let u_4 = a_5[y_1 / 8]                =>        let u_4 = a_5[tile_2 * 32 / 8 + row_3 / 8]
//   let v_6 = y_1 % 8                               let v_6 = row_3 % 8
//
// What is known of a tile's place then goes out of the places of its elements, which begin where the tile does, and rows of a strip that
// have the same quotient are seen to have it. Quotients are rounded down, so it holds for all numbers, as long as no sum overflows: that
// follows from how many blocks a kernel can have.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// `body`: a kernel's, its grid's loops included.
Block split_quotients(Block body);

}  // namespace heddle::nest
