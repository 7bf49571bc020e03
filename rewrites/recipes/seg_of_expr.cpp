#include "rewrites/recipes/seg_of_expr.h"

#include "ir/support/error.h"

namespace heddle::lower {

namespace {

using prim::Family;

prim::Op that_cannot_fail(prim::Op op) {
  switch (op.family) {
    case Family::SDiv:
      op.family = Family::SDivSafe;
      break;
    case Family::SMod:
      op.family = Family::SModSafe;
      break;
    case Family::SQuot:
      op.family = Family::SQuotSafe;
      break;
    case Family::SRem:
      op.family = Family::SRemSafe;
      break;
    default:
      break;
  }
  if (prim::can_fail(op)) refuse("an operation that may fail");
  return op;
}

class Writer {
 public:
  Writer(const nest::Expr& e, const Meanings& meanings, seg::Builder& out)
      : type_(e->type), meanings_(meanings), out_(out) {}

  seg::SubExp operator()(const nest::Const& c) { return c.value; }
  seg::SubExp operator()(const nest::Var& v) {
    auto it = meanings_.values.find(v.name);
    return it == meanings_.values.end() ? seg::SubExp(v.name) : it->second;
  }
  seg::SubExp operator()(const nest::Operation& o) {
    return let("value", seg::PrimOp{that_cannot_fail(o.op), all(o.args)});
  }
  seg::SubExp operator()(const nest::Call& c) {
    seg::Apply apply{false, c.function->name, {}, {{seg::Type::scalar(type_), {}, {}}}};
    for (const seg::SubExp& a : all(c.args)) apply.args.push_back({false, a});
    return let("value", std::move(apply));
  }
  seg::SubExp operator()(const nest::Select& s) {
    seg::SubExp condition = seg_of(s.condition, meanings_, out_);
    seg::Type type = seg::Type::scalar(type_);
    return let("value", seg::Match{seg::MatchSort::Normal,
                                   {condition},
                                   {{{prim::Value::of_bool(true)}, branch(s.if_true)}},
                                   branch(s.if_false),
                                   {type}});
  }
  seg::SubExp operator()(const nest::Load& l) {
    if (!meanings_.array) refuse("an element that is read");
    seg::Slice slice;
    for (const seg::SubExp& i : all(l.index)) slice.emplace_back(seg::DimFix{i});
    return let("element", seg::Index{meanings_.array(l.buffer), std::move(slice)});
  }

 private:
  seg::SubExp let(const char* base, seg::Exp e) { return out_.let(base, seg::Type::scalar(type_), std::move(e)); }

  std::vector<seg::SubExp> all(const std::vector<nest::Expr>& args) {
    std::vector<seg::SubExp> values;
    for (const nest::Expr& a : args) values.push_back(seg_of(a, meanings_, out_));
    return values;
  }

  seg::BodyPtr branch(const nest::Expr& e) {
    seg::Builder inside(out_.names());
    seg::SubExp value = seg_of(e, meanings_, inside);
    return std::make_shared<const seg::Body>(seg::Body{inside.take(), {{{}, value}}});
  }

  prim::Type type_;
  const Meanings& meanings_;
  seg::Builder& out_;
};

}  // namespace

seg::SubExp seg_of(const nest::Expr& e, const Meanings& meanings, seg::Builder& out) {
  return std::visit(Writer(e, meanings, out), e->node);
}

}  // namespace heddle::lower
