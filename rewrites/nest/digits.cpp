#include "rewrites/nest/digits.h"

namespace heddle::nest {

using prim::Type;

TwoIndices::TwoIndices(const Facts::Digits& digits, NameSource& names)
    : outer(names.fresh(digits.index)),
      inner(names.fresh(digits.index)),
      rows(digits.rows),
      by(digits.by),
      index_(digits.index) {}

Block TwoIndices::in(const Block& work) const {
  return substitute({{index_, add(mul(by, var(outer, Type::I64)), var(inner, Type::I64))}}, work);
}

Stmt TwoIndices::in(const For& loop) const {
  return stmt(For{outer, rows, loop.role, {stmt(For{inner, by, loop.role, in(loop.body)})}});
}

}  // namespace heddle::nest
