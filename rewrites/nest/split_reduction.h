// Lets blocks that have nothing to do with each other reduce parts of one result.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// Two kernels in the place of one, the second launched after the first one, with a buffer from one to the other.
struct Split {
  Kernel first, second;
  Name partial;
  std::string why_legal;
};

// for i in n {
//   alloc acc; acc[] := x;
//   for c in N { S(c, i): acc[] := acc[] + a[i][c] }
//   let sum = acc[]; out[i] := sum
// }
//   becomes, for the loop c,
// for c in N { for i in n { alloc acc; acc[] := 0; S(c, i); partial[c][i] := acc[] } }
//   and
// for i in n { alloc acc; acc[] := x; for c in N { acc[] := acc[] + partial[c][i] } let sum = acc[]; out[i] := sum }
// so that c may become a loop over blocks, too.
//
// Legal if the loop only takes steps of one reduction with an associative and commutative operator that has a neutral
// element, reads nothing that the kernel writes, and if the extents of the loops are known at launch. Of floats, the
// sum is rounded in another order.
Result<Split> split_reduction(const Kernel& kernel, const Name& loop, NameSource& names);

}  // namespace heddle::nest
