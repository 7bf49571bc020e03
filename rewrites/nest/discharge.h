// Removes what facts decide: checks that cannot fail, branches never taken, clamps that never clamp.
#pragma once

#include "ir/nest/facts.h"
#include "ir/nest/nest.h"

namespace heddle::nest {

// `facts` hold where the block begins; it must be the only code that defines the names it does. What remains computes
// the same and fails with the same messages.
//
//   let last = k - 1 + y                          facts: 0 <= y < m - k + 1, 0 <= r < k, sizes m and k
//   let ok = k == 0 || 0 <= last && last < m
//   if !ok { fail 0(y, m) }
//   alloc a: register f32
//   a[] := img[min(y + r, m - 1)]
//   out[y] := a[]
// becomes
//   alloc a: register f32
//   a[] := img[y + r]
//   out[y] := a[]
//
// Lets and register buffers that nothing reads (any more) are removed as well, with what is stored to them.
Block discharge(const Block& block, Facts& facts);

// Whether a Fail occurs in it.
bool may_fail(const Block& block);

}  // namespace heddle::nest
