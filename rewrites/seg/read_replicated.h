// Reads of arrays that repeat another.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// Where all points of a map need the same array, the host's compiler may repeat it in memory, once for each, and lay that out for them:
//
//   let {all : [d][n]f32} = replicate([d], a)
//   let {turned : [n][d]f32} = rearrange((1, 0), all)
//   let {r} = segmap(thread)(i < n, j < d) { let {x} = turned[i, j] ... }
// becomes
//   let {r} = segmap(thread)(i < n, j < d) { let {x} = a[i] ... }
//
// and what a point reads of several copies, or goes through, it repeats itself, which takes no memory there. Where nobody else uses the copies,
// the host reads of single ones, and `a` stays as it is.
Result<Program> read_replicated(const Program& program);

}  // namespace heddle::seg
