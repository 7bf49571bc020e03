#include "rewrites/nest/discharge.h"

#include "ir/nest/traverse.h"
#include "ir/prim/division.h"
#include "rewrites/nest/unused.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

bool always_fails(const Block& block) { return !block.empty() && std::holds_alternative<Fail>(block.back()->node); }

class Discharger : public Rebuilder<Discharger> {
 public:
  explicit Discharger(Facts& facts) : facts_(facts) {}
  // Looks for indices to take apart as well.
  Discharger(Facts& facts, const Substitution& indices) : facts_(facts), extents_(indices), wants_digits_(true) {}

  std::optional<Facts::Digits> digits() const { return digits_; }

  void body(Block& b) {
    facts_.scope([&] { b = in_order(b); });
  }

  void stmts(const Stmt& s, Block& out) {
    if (const auto* let = std::get_if<Let>(&s->node)) return simplify_let(*let, out);
    if (const auto* branch = std::get_if<If>(&s->node)) return simplify_if(*branch, out);
    if (const auto* loop = std::get_if<For>(&s->node)) return simplify_for(*loop, out);
    Rebuilder::stmts(s, out);
  }

  void expr(Expr& e) {
    if (const auto* v = std::get_if<Var>(&e->node)) {
      if (auto it = values_.find(v->name); it != values_.end()) e = it->second;
      if (e->type == Type::Bool) decide(e);
      return;
    }
    if (const auto* s = std::get_if<Select>(&e->node)) return simplify_select(*s, e);
    const auto* o = std::get_if<Operation>(&e->node);
    if (o && (o->op.family == Family::LogAnd || o->op.family == Family::LogOr)) return simplify_logical(*o, e);
    Rebuilder::expr(e);
    if (o = std::get_if<Operation>(&e->node); o && prim::is_int(o->op.type)) simplify_operation(Operation(*o), e);
    if (o = std::get_if<Operation>(&e->node); o) narrow(Operation(*o), e);
  }

 private:
  Block in_order(const Block& b) {
    Block out;
    for (const Stmt& s : b) {
      stmts(s, out);
      if (always_fails(out)) break;
    }
    return out;
  }

  void decide(Expr& e) {
    if (std::optional<bool> value = facts_.decide(e)) e = constant(prim::Value::of_bool(*value));
  }

  template <class F>
  void assuming(const Expr& condition, bool holds, F f) {
    facts_.scope([&] {
      facts_.assume(condition, holds);
      f();
    });
  }

  void simplify_let(const Let& let, Block& out) {
    Expr value = let.value;
    expr(value);
    bool is_plain = std::holds_alternative<Const>(value->node) || std::holds_alternative<Var>(value->node);
    if (is_plain) values_.insert_or_assign(let.name, value);
    facts_.define(let.name, value);
    out.push_back(stmt(Let{let.name, std::move(value)}));
  }

  void simplify_if(const If& branch, Block& out) {
    Expr condition = branch.condition;
    expr(condition);
    if (const auto* c = std::get_if<Const>(&condition->node)) {
      Block taken = in_order(c->value.as_bool() ? branch.then_body : branch.else_body);
      out.insert(out.end(), taken.begin(), taken.end());
      return;
    }
    If changed{condition, branch.then_body, branch.else_body};
    assuming(condition, true, [&] { changed.then_body = in_order(branch.then_body); });
    assuming(condition, false, [&] { changed.else_body = in_order(branch.else_body); });
    if (always_fails(changed.then_body)) facts_.assume(condition, false);
    if (always_fails(changed.else_body)) facts_.assume(condition, true);
    out.push_back(stmt(std::move(changed)));
  }

  void simplify_for(const For& loop, Block& out) {
    For changed = loop;
    expr(changed.extent);
    if (auto extent = int_constant(changed.extent); extent && *extent <= 0) return;
    facts_.scope([&] {
      facts_.index(loop.index, changed.extent);
      extents_.insert_or_assign(loop.index, changed.extent);
      changed.body = in_order(loop.body);
      extents_.erase(loop.index);
    });
    out.push_back(stmt(std::move(changed)));
  }

  void simplify_select(const Select& s, Expr& e) {
    Expr condition = s.condition, if_true = s.if_true, if_false = s.if_false;
    expr(condition);
    if (const auto* c = std::get_if<Const>(&condition->node)) {
      e = c->value.as_bool() ? if_true : if_false;
      return expr(e);
    }
    assuming(condition, true, [&] { expr(if_true); });
    assuming(condition, false, [&] { expr(if_false); });
    e = select(condition, if_true, if_false);
  }

  // The second operand matters only where the first leaves the value open.
  void simplify_logical(const Operation& o, Expr& e) {
    Expr a = o.args[0], b = o.args[1];
    expr(a);
    assuming(a, o.op.family == Family::LogAnd, [&] { expr(b); });
    e = operation(o.op, {a, b});
  }

  void simplify_operation(const Operation& o, Expr& e) {
    if (prim::kind(o.op) == prim::Kind::Cmp) return decide(e);
    if (auto d = prim::division(o.op); d && d->is_signed && d->rounding != prim::Rounding::Up)
      return simplify_division(o, d->is_remainder, e);
    switch (o.op.family) {
      case Family::SMin:
      case Family::SMax: {
        for (const Expr& a : o.args) {
          if (facts_.prove_equal(e, a)) {
            e = a;
            return;
          }
        }
        return;
      }
      case Family::SExt:
        // Indices that are carried as narrow integers.
        if (o.op.to != Type::I64) return;
        if (std::optional<Polynomial> p = facts_.over_indices(e)) e = to_expr(*p);
        return;
      default:
        return;
    }
  }

  void simplify_division(const Operation& o, bool is_remainder, Expr& e) {
    const Expr &a = o.args[0], &b = o.args[1];
    if (o.op.type != Type::I64) {
      Expr zero = constant(prim::zero(o.op.type));
      bool less = facts_.prove_at_most(zero, a) && facts_.prove(operation(prim::Op(Family::Slt, o.op.type), {a, b}));
      if (less) e = is_remainder ? a : zero;
    } else if (std::optional<Expr> quotient = facts_.quotient(o.op, a, b)) {
      e = *quotient;
      if (!is_remainder) return;
      // Multiples of the divisor cancel out.
      e = sub(a, mul(b, e));
      if (auto p = from_expr(e, no_definition)) e = to_expr(*p);
    } else if (wants_digits_ && !digits_) {
      digits_ = facts_.digits(o.op, a, b, extents_);
    }
  }

  // Devices convert between floats and 64 bits at a quarter of the rate of 32.
  void narrow(const Operation& o, Expr& e) {
    const Expr& x = o.args[0];
    if (o.op.family == Family::FPToSI && o.op.to == Type::I64 && has_32_bits(e)) {
      Expr narrow = operation(prim::Op(Family::FPToSI, o.op.type, Type::I32), {x});
      e = operation(prim::Op(Family::SExt, Type::I32, Type::I64), {narrow});
    } else if (o.op.family == Family::SIToFP && o.op.type == Type::I64 && has_32_bits(x)) {
      Expr narrow = operation(prim::Op(Family::SExt, Type::I64, Type::I32), {x});
      e = operation(prim::Op(Family::SIToFP, Type::I32, o.op.to), {narrow});
    }
  }

  bool has_32_bits(const Expr& e) {
    constexpr int64_t kHalf = int64_t{1} << 31;
    return facts_.prove_at_most(constant(-kHalf), e) && facts_.prove_at_most(e, constant(kHalf - 1));
  }

  Facts& facts_;
  Substitution extents_;  // of the indices
  bool wants_digits_ = false;
  std::optional<Facts::Digits> digits_;
  Substitution values_;  // of Lets that became constants or other names
};

}  // namespace

Block discharge(const Block& block, Facts& facts) {
  Block out = block;
  Discharger(facts).body(out);
  return without_unused(out);
}

Discharged discharge(const Block& block, Facts& facts, const Substitution& indices) {
  Block out = block;
  Discharger discharger(facts, indices);
  discharger.body(out);
  return {without_unused(out), discharger.digits()};
}

bool is_division(const prim::Op& op) {
  std::optional<prim::Division> d = prim::division(op);
  return d && d->is_signed;
}

bool divides(const Block& block) {
  bool found = false;
  for_each_expr(block, [&](const Expr& e) {
    const auto* o = std::get_if<Operation>(&e->node);
    found |= o && is_division(o->op);
  });
  return found;
}

bool may_fail(const Block& block) {
  bool found = false;
  for_each_stmt(block, [&](const Stmt& s) { found |= std::holds_alternative<Fail>(s->node); });
  return found;
}

}  // namespace heddle::nest
