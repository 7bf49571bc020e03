#include "rewrites/seg/rounds.h"

#include <algorithm>

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

// Whether the statement by itself makes a float that was none before: all but choosing among those there are.
bool makes_float(const Stm& s) {
  if (std::ranges::none_of(s.pat, [](const PatElem& p) { return prim::is_float(p.type.elem); })) return false;
  if (const auto* op = std::get_if<PrimOp>(&s.exp))
    return op->op.family != prim::Family::FMin && op->op.family != prim::Family::FMax;
  return std::holds_alternative<Apply>(s.exp);
}

struct Walk {
  bool found = false;
  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const BodyPtr& body) {
    for (const StmPtr& s : body->stms) {
      found = found || makes_float(*s);
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
