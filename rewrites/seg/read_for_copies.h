// Has statements read an array instead of a copy of it that they only read.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

//   let {c : [n]f32} = copy(x)
//   let {i, y} = redomap(n, {js, c}, ...)
//   let {x'} = x with [i] = ...
// becomes
//   let {i, y} = redomap(n, {js, x}, ...)
//   let {x'} = x with [i] = ...
// The host's compiler leaves a copy where zip's argument is updated behind. Where a thread does that in each step of a loop, it has memory of its own for the copy
// and stores as much as it reads.
//
// Only copies of rows of scalars, that go into maps and reductions or of which elements are read, and only where up to the last of these nothing is updated in place:
// whatever its name, it might be the array.
Result<Program> read_for_copies(const Program& program);

}  // namespace heddle::seg
