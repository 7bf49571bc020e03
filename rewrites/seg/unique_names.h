// Gives every function names of its own. The host compiler keeps names apart within a function only: two functions may
// use the same tag for different things.
//
//   entry f (x_1 : i64) = let {y_2 : i64} = ...     entry g (x_1 : i64) = let {z_2 : [x_1]f32} = ...
// becomes
//   entry f (x_1 : i64) = let {y_2 : i64} = ...     entry g (x_3 : i64) = let {z_4 : [x_3]f32} = ...
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> unique_names(const Program& program);

}  // namespace heddle::seg
