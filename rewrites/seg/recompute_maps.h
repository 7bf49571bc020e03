// Computes cheap maps again where their elements are read, so that no kernel waits for them and recognizers see through
// them. Kernel extraction leaves such maps when it takes what does not depend on the inner indices, as the check of a
// slice, out of a kernel.
//
//   let a = segmap(thread)(i < n) { let x = slt64(i, m) in return {returns x} }
//   segmap(thread)(i < n, j < k) { ... let y = a[i] ... }
// becomes, if nothing else uses a,
//   segmap(thread)(i < n, j < k) { ... let x' = slt64(i, m) let y = x' ... }
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> recompute_maps(const Program& program);

}  // namespace heddle::seg
