// Makes a scalar a constant.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// kernel f(k: i64, ...) { ... }   becomes   kernel f(k: constant, ...) { ... }
// which is compiled for each value of k by itself.
//
// Legal for an i64 that is known when the kernel is compiled and positive, as constants are: whoever compiles and
// launches the kernel sees to that.
Result<Rewritten> fix(const Kernel& kernel, const Name& scalar);

}  // namespace heddle::nest
