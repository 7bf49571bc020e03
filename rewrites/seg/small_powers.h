// Multiplies where a program raises to the second power, and leaves out the first: a call of `pow` takes a hundred instructions.
//
//   let {y_3 : f32} = fpow32(x_2, 2.0f32)        =>   let {y_3 : f32} = fmul32(x_2, x_2)
//   let {z_4 : f32} = fpow32(y_3, 1.0f32)             let {z_4 : f32} = y_3
//
// A product is rounded once, as pow is at best. Higher powers would be rounded several times.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> small_powers(const Program& program);

}  // namespace heddle::seg
