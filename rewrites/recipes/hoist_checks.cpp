#include "rewrites/recipes/hoist_checks.h"

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using poly::Polynomial;
using prim::Family;
using prim::Type;

// Beyond this, values below 2^31 can have a product beyond 64 bits.
constexpr size_t kMaxDegree = 2;

bool always_fails(const nest::Block& b) { return !b.empty() && std::holds_alternative<nest::Fail>(b.back()->node); }

class Hoister {
 public:
  Hoister(nest::Facts& facts, const IsHostScalar& is_host_scalar) : facts_(facts), is_host_scalar_(is_host_scalar) {}

  void index(const Name& name, const Expr& extent) {
    if (auto p = polynomial(extent)) extents_.emplace_back(name, *p);
  }

  void block(const nest::Block& b) {
    for (const nest::Stmt& s : b) {
      if (const auto* let = std::get_if<nest::Let>(&s->node)) {
        definitions_.insert_or_assign(let->name, let->value);
      } else if (const auto* loop = std::get_if<nest::For>(&s->node)) {
        index(loop->index, loop->extent);
        block(loop->body);
      } else if (const auto* branch = std::get_if<nest::If>(&s->node)) {
        if (always_fails(branch->then_body)) demand(branch->condition, false);
        if (always_fails(branch->else_body)) demand(branch->condition, true);
        block(branch->then_body);
        block(branch->else_body);
      }
    }
  }

  Expr all() const {
    Expr result;
    for (const Expr& e : demanded_) result = result ? nest::both(result, e) : e;
    return result;
  }

 private:
  std::optional<Polynomial> polynomial(const Expr& e) const {
    auto definition = [this](const Name& n) -> Expr {
      auto it = definitions_.find(n);
      return it == definitions_.end() ? nullptr : it->second;
    };
    return nest::from_expr(e, definition);
  }

  // False if nothing could be demanded that makes the condition hold.
  bool demand(const Expr& condition, bool holds) {
    if (const auto* v = std::get_if<nest::Var>(&condition->node)) {
      auto it = definitions_.find(v->name);
      if (it != definitions_.end()) return demand(it->second, holds);
      if (!is_host_scalar_(v->name, Type::Bool)) return false;
      add(holds ? condition : nest::negate(condition));
      return true;
    }
    const auto* o = std::get_if<nest::Operation>(&condition->node);
    if (!o) return false;
    switch (o->op.family) {
      case Family::Neg:
        return o->op.type == Type::Bool && demand(o->args[0], !holds);
      case Family::LogAnd:
      case Family::LogOr: {
        bool both = (o->op.family == Family::LogAnd) == holds;
        // Of alternatives, the last is what is checked; the others let empty slices pass.
        bool second = demand(o->args[1], holds);
        if (!both) return second || demand(o->args[0], holds);
        return demand(o->args[0], holds) && second;
      }
      case Family::Slt:
      case Family::Sle: {
        if (o->op.type != Type::I64) return false;
        auto a = polynomial(o->args[0]), b = polynomial(o->args[1]);
        if (!a || !b) return false;
        bool strict = o->op.family == Family::Slt;
        // a < b where it holds, b <= a where it must not.
        return not_negative(holds ? *b - *a - (strict ? 1 : 0) : *a - *b - (strict ? 0 : 1));
      }
      case Family::Eq: {
        if (o->op.type != Type::I64 || !holds) return false;
        auto a = polynomial(o->args[0]), b = polynomial(o->args[1]);
        return a && b && not_negative(*b - *a) && not_negative(*a - *b);
      }
      default:
        return false;
    }
  }

  void add(const Expr& condition) {
    if (!facts_.prove(condition)) demanded_.push_back(condition);
  }

  bool not_negative(Polynomial p) {
    // From the inside out, since extents may depend on outer indices.
    for (size_t k = extents_.size(); k-- > 0;) {
      const auto& [name, extent] = extents_[k];
      if (!p.mentions(name)) continue;
      if (p.degree_in(name) > 1) return false;
      Polynomial by = p.coefficient(name);
      Expr factor = nest::to_expr(by), zero = nest::constant(int64_t{0});
      if (facts_.prove_at_most(zero, factor)) {
        p = p.without(name);
      } else if (facts_.prove_at_most(factor, zero)) {
        p = p.without(name) + by * (extent - 1);
      } else {
        return false;
      }
    }
    for (const Name& n : p.names()) {
      if (!is_host_scalar_(n, Type::I64)) return false;
    }
    for (const poly::Term& t : p.terms()) {
      if (t.monomial.size() > kMaxDegree) return false;
    }
    add(nest::less(nest::constant(int64_t{-1}), nest::to_expr(p)));
    return true;
  }

  nest::Facts& facts_;
  const IsHostScalar& is_host_scalar_;
  nest::Substitution definitions_;
  std::vector<std::pair<Name, Polynomial>> extents_;
  std::vector<Expr> demanded_;
};

}  // namespace

Expr hoisted_checks(const nest::Block& work, const std::vector<recognize::Index>& indices, nest::Facts& facts,
                    const IsHostScalar& is_host_scalar) {
  Hoister hoister(facts, is_host_scalar);
  for (const recognize::Index& i : indices) hoister.index(i.name, i.extent);
  hoister.block(work);
  return hoister.all();
}

}  // namespace heddle::lower
