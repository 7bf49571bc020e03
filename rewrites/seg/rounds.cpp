#include "rewrites/seg/rounds.h"

#include <algorithm>

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

// Whether the statement by itself makes a float that was none before, or compares some: what is not a number compares with nothing, so that who is
// chosen depends on who met whom. Least and greatest ones are neither.
bool matters(const Stm& s) {
  const bool is_float = std::ranges::any_of(s.pat, [](const PatElem& p) { return prim::is_float(p.type.elem); });
  if (const auto* op = std::get_if<PrimOp>(&s.exp)) {
    if (op->op.family == prim::Family::FMin || op->op.family == prim::Family::FMax) return false;
    return is_float || prim::is_float(op->op.type);
  }
  return is_float && std::holds_alternative<Apply>(s.exp);
}

struct Walk {
  bool found = false;
  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const BodyPtr& body) {
    for (const StmPtr& s : body->stms) {
      found = found || matters(*s);
      walk(*this, s->exp);
    }
    return false;
  }
};

}  // namespace

bool rounds(const SegOp& op) {
  Walk w;
  for (const SegBinOp& o : op.ops) w.enter(o.lambda.body);
  return w.found;
}

}  // namespace heddle::seg
