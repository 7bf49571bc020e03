// Results of operations that are the same as others.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// Where the host fuses two scans of the same elements, each has a result of its own, and memory for it:
//
//   let {a, b} = segscan(thread)(i < n) ({0, 0}, , \{x, y, p, q} -> {x + p, y + q}) { let v = f(i) return {v, v} }
// becomes
//   let {a} = segscan(thread)(i < n) ({0}, , \{x, p} -> {x + p}) { let v = f(i) return {v} }
//
// with `a` for `b`; and results that are not folded likewise. Two components are the same if they begin with the same, all points yield the same for both, and the operator makes the same of them as far as
// others are; their arrays only where both are only read, as they are one array then. In host code.
Result<Program> equal_components(const Program& program);

}  // namespace heddle::seg
