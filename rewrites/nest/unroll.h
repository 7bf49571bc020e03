// Has a loop written out.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in R (serial) { S(i) }   becomes   for i in R (unrolled) { S(i) }
// which the text of the kernel repeats R times, so that indices become constants and registers stay registers.
// Legal for a serial loop whose extent is constant when the kernel is compiled.
Result<Rewritten> unroll(const Kernel& kernel, const Name& loop);

}  // namespace heddle::nest
