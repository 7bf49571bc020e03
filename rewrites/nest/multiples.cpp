#include "rewrites/nest/multiples.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"

namespace heddle::nest {

using prim::Family;
using prim::Type;

Multiples::Multiples(const Kernel& kernel, const Expr& width, NameSource& names)
    : kernel_(kernel), width_(width), lets_(index_lets(kernel)), atoms_(names) {
  if (!is_fixed(kernel, width)) refuse(fmt::format("a width of {} is not constant", to_text(width)));
  factor_ = polynomial(width);
}

Polynomial Multiples::polynomial(const Expr& e) {
  auto p = from_expr(substitute(lets_, e), no_definition, &atoms_);
  if (!p) refuse(fmt::format("{} is not affine", to_text(e)));
  return *p;
}

bool Multiples::is_multiple(const Polynomial& term) const {
  auto has_factor = [&](const Polynomial& f) { return term.divided_by(f).has_value(); };
  return has_factor(factor_) || std::ranges::any_of(tested_, has_factor);
}

void Multiples::require(const Expr& e) { require(polynomial(e)); }

void Multiples::require(const Polynomial& p) {
  Polynomial rest;
  for (const poly::Term& t : p.terms()) {
    if (!is_multiple(Polynomial::of(t))) rest = rest + Polynomial::of(t);
  }
  if (rest.is_zero()) return;
  auto is_known = [&](const Name& n) {
    return std::ranges::find(kernel_.constants, n) != kernel_.constants.end() ||
           std::ranges::any_of(kernel_.scalars, [&](const ScalarParam& s) { return s.name == n; });
  };
  if (rest.as_constant() || !std::ranges::all_of(rest.names(), is_known))
    refuse(fmt::format("{} may be no multiple of {}", to_text(to_expr(p, &atoms_)), to_text(width_)));
  tested_.push_back(rest);
}

void Multiples::require_row(const Buffer& buffer, const std::vector<Expr>& first) {
  if (first.empty()) refuse(fmt::format("{} is a scalar", buffer.name.text()));
  if (int_constant(buffer.strides.back()) != 1) refuse(fmt::format("neighbours in {} lie apart", buffer.name.text()));
  require(first.back());
  for (size_t d = first.size() - 1; d-- > 0;) {
    Polynomial at = polynomial(first[d]), step = polynomial(buffer.strides[d]), product = at * step;
    bool fits = std::ranges::all_of(product.terms(), [&](const auto& t) { return is_multiple(Polynomial::of(t)); });
    if (!fits) require(step);
  }
}

void Multiples::require_same(const Expr& condition, const Name& index) {
  const auto* o = std::get_if<Operation>(&condition->node);
  if (o && o->op.family == Family::LogAnd) {
    require_same(o->args[0], index);
    require_same(o->args[1], index);
    return;
  }
  if (!free_names(substitute(lets_, condition)).contains(index)) return;
  bool is_strict = o && o->op.family == Family::Slt, is_weak = o && o->op.family == Family::Sle;
  if (!is_strict && !is_weak) refuse(fmt::format("{} may hold for some of the elements only", to_text(condition)));
  // It holds where `margin` is not negative.
  Polynomial margin = polynomial(o->args[1]) - polynomial(o->args[0]) - (is_strict ? 1 : 0);
  if (margin.degree_in(index) > 1) refuse(fmt::format("{} is not affine", to_text(condition)));
  auto step = margin.coefficient(index).as_constant();
  bool rises = step == 1, falls = step == -1;
  if (!rises && !falls) refuse(fmt::format("{} may hold for some of the elements only", to_text(condition)));
  require(margin.without(index) + (falls ? 1 : 0));
}

Expr round_up(const Expr& e, const Expr& width) {
  auto up = [&](const Expr& x) { return mul(div(add(x, sub(width, constant(int64_t{1}))), width), width); };
  auto p = from_expr(e, no_definition), factor = from_expr(width, no_definition);
  if (!p || !factor || factor->is_zero()) return up(e);
  // Terms that are multiples stay outside, so that equal remainders show.
  Polynomial whole, rest;
  for (const poly::Term& t : p->terms()) {
    Polynomial term = Polynomial::of(t);
    (term.divided_by(*factor) ? whole : rest) = (term.divided_by(*factor) ? whole : rest) + term;
  }
  if (rest.is_zero()) return e;
  return add(to_expr(whole), up(to_expr(rest)));
}

Expr Multiples::test() const {
  Expr all = constant(prim::Value::of_bool(true));
  for (const Polynomial& p : tested_) {
    Expr rest = mod(to_expr(p, &atoms_), width_);
    all = both(all, operation(prim::Op(Family::Eq, Type::I64), {rest, constant(int64_t{0})}));
  }
  return all;
}

}  // namespace heddle::nest
