// Removes what facts decide: checks that cannot fail, branches never taken, clamps that never clamp, divisions of
// multiples.
#pragma once

#include "ir/nest/facts.h"
#include "ir/nest/nest.h"
#include "ir/nest/traverse.h"

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

// As above; if a division is left that would go if an index had two others in its place, this is what it needs first.
// `indices`: extents of indices from outside of the block.
struct Discharged {
  Block block;
  std::optional<Facts::Digits> digits;
};
Discharged discharge(const Block& block, Facts& facts, const Substitution& indices);

// Of signed integers.
bool is_division(const prim::Op& op);
// Whether a division occurs in it.
bool divides(const Block& block);

// Whether a Fail occurs in it.
bool may_fail(const Block& block);

}  // namespace heddle::nest
