// Lets the threads of a block copy what they are going to read into memory that they share.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for t in T (block) { for k in n { S(a[b * T + t + k]) } }
//   becomes, before the loop k,
// for t in T (block) {
//   alloc a_tile: shared[T + n - 1];
//   for piece in ceil((T + n - 1) / T) {
//     let at = piece * T + t;
//     if at < T + n - 1 { a_tile[at] := b * T + at < size of a ? a[b * T + at] : 0 }
//   }
//   barrier;
//   for k in n { S(a_tile[t + k]) }
//   barrier;
// }
// for each of the buffers and each box of its elements: the box that the block's threads read in the loop, with zeros
// beyond the ends of the buffer. So where S reads zeros there, too, it need not ask. Rows of the buffers in
// `row_multiples` are rounded up to a multiple of so many elements, so that they can be copied several at once.
//
// Legal if nothing in the kernel writes to the buffers, if all their indices in the loop are affine, and if all threads
// of the block come to the loop together.
Result<Rewritten> stage_to_shared(const Kernel& kernel, const Name& before, const std::vector<Name>& buffers,
                                  NameSource& names, const Substitution& row_multiples = {});

}  // namespace heddle::nest
