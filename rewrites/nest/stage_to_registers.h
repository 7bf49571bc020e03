// Lets a thread keep what it is going to read more than once.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for y in R { for z in Q { S(a[k][t + y], z) } }
//   becomes, before the loop y,
// alloc a_points: register[1][R];
// for e in 1 { for e2 in R { a_points[e][e2] := a[k + e][t + e2]; } }
// for y in R { for z in Q { S(a_points[0][y], z) } }
// with the box of elements that the loop reads; its rows are rounded up to `row_multiple` elements, so that they can be
// read several at once.
//
// Legal if the loop writes nothing to the buffer, all its indices in the loop are affine, the box has constant extents,
// and every element of it may be read: the corners of the box are read anyway, and all elements of the buffer hold
// values, because the kernel only reads it or its threads have filled it (fill.h). Where rows are rounded up, they must
// end within the buffer.
Result<Rewritten> stage_to_registers(const Kernel& kernel, const Name& before, const Name& buffer, NameSource& names,
                                     const Expr& row_multiple = constant(int64_t{1}));

}  // namespace heddle::nest
