#include "rewrites/nest/around_once.h"

#include "ir/nest/facts.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

// What is tried: windows of three that are counted from the row's end reach into a third row.
constexpr int64_t kMostTimes = 3;

bool is_remainder(const Operation& o) {
  const bool takes_rest = o.op.family == Family::SMod || o.op.family == Family::SRem;
  return takes_rest && o.op.type == Type::I64 && !std::holds_alternative<Const>(o.args[1]->node);
}

class AroundOnce : public Rebuilder<AroundOnce> {
 public:
  AroundOnce(const Kernel& kernel, NameSource& names) : facts_(names, no_definition) {
    for (const Buffer& b : kernel.buffers) {
      for (const Expr& dim : b.dims) size(dim);
    }
  }

  void body(Block& b) {
    facts_.scope([&] { Rebuilder::body(b); });
  }

  void stmts(const Stmt& s, Block& out) {
    if (const auto* branch = std::get_if<If>(&s->node)) {
      If changed = *branch;
      expr(changed.condition);
      under(branch->condition, true, [&] { body(changed.then_body); });
      under(branch->condition, false, [&] { body(changed.else_body); });
      return out.push_back(stmt(std::move(changed)));
    }
    if (const auto* loop = std::get_if<For>(&s->node)) {
      For changed = *loop;
      expr(changed.extent);
      facts_.scope([&] {
        size(loop->extent);
        facts_.index(loop->index, loop->extent);
        body(changed.body);
      });
      return out.push_back(stmt(std::move(changed)));
    }
    Rebuilder::stmts(s, out);
    if (const auto* let = std::get_if<Let>(&s->node)) facts_.define(let->name, let->value);
  }

  void expr(Expr& e) {
    if (const auto* choice = std::get_if<Select>(&e->node)) {
      Expr condition = choice->condition, if_true = choice->if_true, if_false = choice->if_false;
      expr(condition);
      under(choice->condition, true, [&] { expr(if_true); });
      under(choice->condition, false, [&] { expr(if_false); });
      e = select(condition, if_true, if_false);
      return;
    }
    Rebuilder::expr(e);
    const auto* o = std::get_if<Operation>(&e->node);
    if (o && is_remainder(*o)) e = without_division(*o, e);
  }

 private:
  void size(const Expr& extent) {
    if (const auto* v = std::get_if<Var>(&extent->node)) facts_.size(v->name);
  }

  template <class F>
  void under(const Expr& condition, bool holds, F f) {
    facts_.scope([&] {
      facts_.assume(condition, holds);
      f();
    });
  }

  Expr without_division(const Operation& o, const Expr& e) {
    const Expr &x = o.args[0], &n = o.args[1], zero = constant(int64_t{0});
    const bool is_least = facts_.prove_at_most(zero, x);
    const bool may_be_less = !is_least && o.op.family == Family::SMod && facts_.prove_at_most(zero, add(x, n));
    if (!is_least && !may_be_less) return e;
    // Below so many times the divisor.
    int64_t times = 1;
    auto multiple = [&](int64_t k) { return mul(constant(k), n); };
    while (times <= kMostTimes && !facts_.prove(less(x, multiple(times)))) ++times;
    if (times > kMostTimes) return e;
    Expr rest = sub(x, multiple(times - 1));
    for (int64_t k = times - 1; k >= 1; --k) rest = select(less(x, multiple(k)), sub(x, multiple(k - 1)), rest);
    return is_least ? rest : select(less(x, zero), add(x, n), rest);
  }

  Facts facts_;
};

}  // namespace

Block around_once(const Kernel& kernel, NameSource& names) {
  bool divides = false;
  for_each_expr(kernel.body, [&](const Expr& e) {
    const auto* o = std::get_if<Operation>(&e->node);
    divides |= o && is_remainder(*o);
  });
  Block body = kernel.body;
  if (divides) AroundOnce(kernel, names).body(body);
  return body;
}

}  // namespace heddle::nest
