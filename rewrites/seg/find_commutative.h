// Operators of reductions for which the order of their operands does not matter, though the host does not know.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// Whether op(x, y) and op(y, x) are the same whatever the operands: in each case of which components of x are less than those of y, or equal to them,
// both yield the same expressions, up to the order of what is added up and the like. NaNs are left out, with which no such choice is associative, and
// floats that are equal may be zeros of both signs.
//
//   \{x, i, y, j} -> if x < y || (x == y && i < j) then {x, i} else {y, j}         is, by nine cases
//   \{x, i, y, j} -> if x < y then {x, i} else {y, j}                              is not: where x == y it yields j or i
bool is_commutative(const Lambda& op);

// let {r, i} = segred(thread)(j < n) ({op, {ne, nf}, , }) ...  becomes  segred(thread)(j < n) (commutative {op, ...}) ... where op is; and so within
// kernels.
Result<Program> find_commutative(const Program& program);

}  // namespace heddle::seg
