#include "rewrites/recognize/zero_padding.h"

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "ir/prim/algebra.h"

namespace heddle::recognize {

namespace {

using nest::Expr;

// Of either sign.
bool is_zero(const std::optional<prim::Value>& v) {
  return v && (*v == prim::zero(v->type) || (prim::is_float(v->type) && *v == prim::Value::of_float(v->type, -0.0)));
}

// What an expression is, whatever else it depends on, where an element is zero; nothing if that is not enough.
std::optional<prim::Value> value_if_zero(const Expr& e, const nest::Load& element, Absorbs absorbs) {
  if (const auto* k = std::get_if<nest::Const>(&e->node)) return k->value;
  if (std::get_if<nest::Load>(&e->node) == &element) return prim::zero(e->type);
  const auto* o = std::get_if<nest::Operation>(&e->node);
  if (!o) return std::nullopt;
  std::vector<prim::Value> known;
  for (const Expr& a : o->args) {
    std::optional<prim::Value> value = value_if_zero(a, element, passes_on(o->op) ? absorbs : Absorbs::Anything);
    if (!value) continue;
    if (is_absorbing(o->op, *value)) return value;
    if (absorbs == Absorbs::Numbers && o->op.family == prim::Family::FMul && is_zero(value)) return value;
    known.push_back(*value);
  }
  if (known.size() < o->args.size()) return std::nullopt;
  return prim::eval(o->op, known);
}

bool may_fail(const Expr& e) {
  bool fails = false;
  nest::for_each_expr(e, [&](const Expr& x) {
    const auto* o = std::get_if<nest::Operation>(&x->node);
    fails |= o && prim::can_fail(o->op);
  });
  return fails;
}

// Calls f(load) for each element that is read.
template <class F>
void for_each_load(const Expr& e, F f) {
  nest::for_each_expr(e, [&](const Expr& x) {
    if (const auto* load = std::get_if<nest::Load>(&x->node)) f(*load);
  });
}

// Else it cannot be an operand in any case, and proofs about it may take long.
bool is_affine(const nest::Load& load) {
  return std::ranges::all_of(load.index,
                             [](const Expr& e) { return nest::from_expr(e, nest::no_definition).has_value(); });
}

}  // namespace

bool passes_on(const prim::Op& op) {
  return op.family == prim::Family::FAdd || op.family == prim::Family::FSub || op.family == prim::Family::FMul ||
         op.family == prim::Family::Neg;
}

Expr Guarded::with(Expr other) const {
  for (auto guard = guards.rbegin(); guard != guards.rend(); ++guard)
    other = nest::select(*guard, other, nest::constant(*otherwise));
  return other;
}

Guarded guarded(const Expr& e) {
  Guarded g{{}, e, {}};
  auto is_otherwise = [&](const Expr& x) {
    const auto* k = std::get_if<nest::Const>(&x->node);
    if (!k || (g.otherwise && *g.otherwise != k->value)) return false;
    g.otherwise = k->value;
    return true;
  };
  while (const auto* s = std::get_if<nest::Select>(&g.value->node)) {
    bool when = is_otherwise(s->if_false);
    if (!when && !is_otherwise(s->if_true)) break;
    g.guards.push_back(when ? s->condition : nest::negate(s->condition));
    g.value = when ? s->if_true : s->if_false;
  }
  return g;
}

std::optional<ZeroPadded> ZeroPadding::zero_padded(const Expr& e, Absorbs absorbs) const {
  const Guarded g = guarded(e);
  if (g.guards.empty()) return std::nullopt;
  std::optional<ZeroPadded> found;
  for_each_load(g.value, [&](const nest::Load& load) {
    if (found) return;
    const std::optional<prim::Value> value = value_if_zero(g.value, load, absorbs);
    const bool same = value == g.otherwise || (absorbs == Absorbs::Numbers && is_zero(value) && is_zero(g.otherwise));
    if (same && guards_only_bounds(load, g.guards)) found = ZeroPadded{g.value, &load};
  });
  return found;
}

std::optional<Expr> ZeroPadding::padded_apart(const Expr& e, Absorbs absorbs) const {
  const Guarded g = guarded(e);
  const auto* choice = std::get_if<nest::Select>(&g.value->node);
  if (g.guards.empty() || !choice) return std::nullopt;
  bool harmless = !may_fail(choice->condition);  // now that it is asked for where the guards do not hold
  for_each_load(choice->condition, [&](const nest::Load&) { harmless = false; });
  if (!harmless) return std::nullopt;
  const Expr a = g.with(choice->if_true), b = g.with(choice->if_false);
  if (!zero_padded(a, absorbs) || !zero_padded(b, absorbs)) return std::nullopt;
  return nest::select(choice->condition, a, b);
}

std::optional<Expr> ZeroPadding::guarded_factor(const Expr& e) const {
  const Guarded g = guarded(e);
  const auto* product = std::get_if<nest::Operation>(&g.value->node);
  const bool of_integers =
      product && (product->op.family == prim::Family::Mul || product->op.family == prim::Family::MulNw);
  if (g.guards.empty() || !of_integers || *g.otherwise != prim::zero(e->type)) return std::nullopt;
  auto may_be_outside = [&](const Expr& factor) {
    bool outside = false;
    for_each_load(factor, [&](const nest::Load& load) { outside |= !always_inside(load); });
    return outside;
  };
  for (size_t k : {size_t{0}, size_t{1}}) {
    const Expr& other = product->args[1 - k];
    if (!may_be_outside(product->args[k]) || may_be_outside(other) || may_fail(other)) continue;
    std::vector<Expr> factors = product->args;
    factors[k] = g.with(factors[k]);
    return nest::operation(product->op, factors);
  }
  return std::nullopt;
}

bool ZeroPadding::always_inside(const nest::Load& load) const {
  const nest::Buffer* buffer = array_of(load);
  if (!buffer || !point_.implies || !is_affine(load)) return false;
  for (size_t d = 0; d < load.index.size(); ++d) {
    Expr low = nest::less(nest::constant(int64_t{-1}), load.index[d]);
    if (!point_.implies({reduction_, {}}, nest::both(low, nest::less(load.index[d], buffer->dims[d])))) return false;
  }
  return true;
}

const nest::Buffer* ZeroPadding::array_of(const nest::Load& load) const {
  auto it = std::ranges::find(point_.buffers, load.buffer, &nest::Buffer::name);
  return it == point_.buffers.end() ? nullptr : &*it;
}

// Whether the guards hold wherever the index lies inside of the array, so that zeros outside of it do as well. (That
// the index is inside where they hold is what makes the load legal.)
bool ZeroPadding::guards_only_bounds(const nest::Load& load, const std::vector<Expr>& guards) const {
  const nest::Buffer* buffer = array_of(load);
  if (!buffer || !point_.implies || !is_affine(load)) return false;
  Premises inside{reduction_, {}};
  for (size_t d = 0; d < load.index.size(); ++d) {
    inside.conditions.push_back(nest::less(nest::constant(int64_t{-1}), load.index[d]));
    inside.conditions.push_back(nest::less(load.index[d], buffer->dims[d]));
  }
  return std::ranges::all_of(guards, [&](const Expr& g) { return point_.implies(inside, g); });
}

}  // namespace heddle::recognize
