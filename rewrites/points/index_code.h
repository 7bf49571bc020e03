// Short names for what code about indices is made of: i64(3), equal_to(i, j).
#pragma once

#include "ir/nest/nest.h"

namespace heddle::lower {

inline nest::Expr i64(int64_t x) { return nest::constant(x); }
inline nest::Expr equal_to(const nest::Expr& a, const nest::Expr& b) {
  return nest::operation(prim::Op(prim::Family::Eq, prim::Type::I64), {a, b});
}

}  // namespace heddle::lower
