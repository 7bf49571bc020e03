// Removes what has no use.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

// Without Lets whose name, and Shared or Register buffers whose elements, nothing reads; without branches and counted
// loops that then are empty.
//
//   let x = a[i]                       let y = b[i]
//   alloc t: register f32              out[i] := y
//   t[] := x                     =>
//   let y = b[i]
//   out[i] := y
Block without_unused(const Block& block);

}  // namespace heddle::nest
