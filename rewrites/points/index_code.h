// Short names for what code about indices is made of: i64(3), var(i), equal_to(i, j), loop(i, i64(3), role, body).
#pragma once

#include "ir/nest/nest.h"

namespace heddle::lower {

inline nest::Expr i64(int64_t x) { return nest::constant(x); }
inline nest::Expr equal_to(const nest::Expr& a, const nest::Expr& b) {
  return nest::operation(prim::Op(prim::Family::Eq, prim::Type::I64), {a, b});
}
inline nest::Expr var(const Name& index) { return nest::var(index, prim::Type::I64); }
inline nest::Stmt loop(const Name& index, nest::Expr extent, nest::Role role, nest::Block body) {
  return nest::stmt(nest::For{index, std::move(extent), role, std::move(body)});
}

}  // namespace heddle::lower
