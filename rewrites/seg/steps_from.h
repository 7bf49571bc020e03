// How a scalar of a point follows from others of it by a few operations on scalars, which cannot fail: for who has these in memory.
//
//   segmap(thread)(i < n) { ... let {x} = ... let {y} = zext i8 x to i64  let {z} = add64(y, k) ... }
//
// z follows from x in two steps, let {y} = ... and let {z} = ...; k is no scalar of the point.
#pragma once

#include <optional>

#include "ir/seg/traverse.h"

namespace heddle::seg {

// Nothing where it does not, or in so many steps that it had better be stored.
std::optional<Stms> steps_from(const SegOp& op, const NameSet& from, const SubExp& value);

// The narrowest of a point's scalars that a value follows from: a truth value, of which it is 0 or 1.
struct Scalar {
  SubExp value;
  Type type;
};
Scalar narrowest(const SegOp& op, const Scalar& value);

}  // namespace heddle::seg
