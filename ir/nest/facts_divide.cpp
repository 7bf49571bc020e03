// Divisions that come to nothing, and the indices to take apart where they would then.
#include <algorithm>

#include "ir/nest/facts.h"
#include "ir/nest/traverse.h"
#include "ir/prim/division.h"
#include "ir/support/error.h"

namespace heddle::nest {

using prim::Family;
using prim::Type;

std::optional<Facts::Fraction> Facts::fraction(const prim::Op& op, const Expr& a, const Expr& b) {
  if (op.type != Type::I64) return std::nullopt;
  std::optional<prim::Division> d = prim::division(op);
  if (!d || !d->is_signed || d->rounding == prim::Rounding::Up) return std::nullopt;
  Fraction f{convert(a), convert(b)};
  if (f.divisor.is_zero() || !inequalities_.prove(f.divisor - 1)) return std::nullopt;
  if (d->rounding == prim::Rounding::ToZero && !never_negative(f.numerator)) return std::nullopt;
  return f;
}

std::optional<int64_t> Facts::shift_into(const Polynomial& p, const Polynomial& unit, const Polynomial& size) {
  for (int64_t k : {0, 1, -1}) {
    Polynomial shifted = p + k * unit;
    if (inequalities_.prove(shifted) && inequalities_.prove(size - 1 - shifted)) return k;
  }
  return std::nullopt;
}

// All its names are the program's.
bool Facts::has_names(const Polynomial& p) const {
  for (const Name& n : p.names()) {
    if (std::binary_search(unknowns_.begin(), unknowns_.end(), n)) return false;
  }
  return true;
}

std::optional<Expr> Facts::expression(const Polynomial& p) const {
  return has_names(p) ? std::optional(to_expr(p)) : std::nullopt;
}

std::optional<Polynomial> Facts::polynomial(const Expr& e) try {
  Polynomial p = scope([&] { return convert(e); });
  return has_names(p) ? std::optional(std::move(p)) : std::nullopt;
} catch (const Refused&) {
  return std::nullopt;
}

bool Facts::prove_small(const Expr& e) try {
  return scope([&] { return is_small(convert(e)); });
} catch (const Refused&) {
  return false;
}

std::optional<Expr> Facts::exact_quotient(const Expr& n, const Polynomial& b) try {
  return scope([&] { return exact(n, b); });
} catch (const Refused&) {
  return std::nullopt;
}

std::optional<Expr> Facts::quotient(const prim::Op& op, const Expr& a, const Expr& b) try {
  return scope([&]() -> std::optional<Expr> {
    std::optional<Fraction> f = fraction(op, a, b);
    if (!f) return std::nullopt;
    Polynomial::Division d = f->numerator.divided_with_rest(f->divisor);
    std::optional<int64_t> shift = shift_into(d.rest, f->divisor, f->divisor);
    return shift ? expression(d.quotient - *shift) : std::nullopt;
  });
} catch (const Refused&) {
  return std::nullopt;
}

std::optional<Facts::Digits> Facts::digits(const prim::Op& op, const Expr& a, const Expr& b,
                                           const std::unordered_map<Name, Expr>& extents) try {
  return scope([&]() -> std::optional<Digits> {
    std::optional<Fraction> f = fraction(op, a, b);
    if (!f) return std::nullopt;
    for (const Name& n : f->numerator.names()) {
      if (!extents.contains(n) || f->numerator.degree_in(n) != 1) continue;
      if (auto found = digits(*f, b, n, extents)) return found;
    }
    return std::nullopt;
  });
} catch (const Refused&) {
  return std::nullopt;
}

// The numerator is c * index + rest and the divisor c * by. With index = by * i + j it is divisor * i + (c * j + rest),
// and so i is the quotient, but for multiples of the divisor in the rest, if what else is in the rest is within 0 and
// c.
std::optional<Facts::Digits> Facts::digits(const Fraction& f, const Expr& divisor, const Name& index,
                                           const std::unordered_map<Name, Expr>& extents) {
  Polynomial step = f.numerator.coefficient(index);
  bool backwards = !inequalities_.prove(step - 1);
  if (backwards) step = -step;
  if (backwards && !inequalities_.prove(step - 1)) return std::nullopt;
  std::optional<Polynomial> by = f.divisor.divided_by(step);
  const Expr& extent = extents.at(index);
  std::optional<Polynomial> rows = by ? convert(extent).divided_by(*by) : std::nullopt;
  if (!rows || by->as_constant() == 1 || rows->as_constant() == 1) return std::nullopt;
  Polynomial rest = f.numerator.without(index).divided_with_rest(f.divisor).rest;
  // Backwards it is rest - c * j, of which the lowest is rest - c * (by - 1).
  if (backwards) rest = rest - f.divisor + step;
  if (!shift_into(rest, f.divisor, step)) return std::nullopt;

  std::optional<Expr> rows_outside = exact(extent, *by), by_outside = exact(divisor, step);
  if (rows_outside) rows_outside = outside(*rows_outside, extents);
  if (by_outside) by_outside = outside(*by_outside, extents);
  if (!rows_outside || !by_outside) return std::nullopt;
  return Digits{index, *rows_outside, *by_outside};
}

std::optional<Expr> Facts::exact(const Expr& n, const Polynomial& b) {
  Polynomial whole = convert(n);
  std::optional<Polynomial> q = whole.divided_by(b);
  if (!q) return std::nullopt;
  if (auto c = q->as_constant()) return constant(*c);
  if (b.as_constant() == 1) return n;
  // Factors that have a name keep it.
  Expr product = n;
  while (const auto* v = std::get_if<Var>(&product->node)) {
    product = definition(v->name);
    if (!product) break;
  }
  const auto* o = product ? std::get_if<Operation>(&product->node) : nullptr;
  if (o && (o->op.family == Family::Mul || o->op.family == Family::MulNw)) {
    for (size_t k = 0; k < 2; ++k) {
      Polynomial factor = convert(o->args[k]);
      if (factor.is_zero()) continue;
      if (auto left = b.divided_by(factor)) return exact(o->args[1 - k], *left);
      if (factor.divided_by(b)) {
        auto left = exact(o->args[k], b);
        if (left) return mul(*left, o->args[1 - k]);
      }
    }
  }
  return expression(*q);
}

std::optional<Expr> Facts::outside(const Expr& e, const std::unordered_map<Name, Expr>& indices) const {
  constexpr int kMaxSteps = 1000;
  struct Replace : Rebuilder<Replace> {
    const Facts& facts;
    bool possible = true;
    int steps_left = kMaxSteps;  // definitions may mention what they are made of many times
    explicit Replace(const Facts& facts) : facts(facts) {}
    void expr(Expr& e) {
      possible &= steps_left-- > 0;
      if (!possible) return;
      const auto* v = std::get_if<Var>(&e->node);
      auto it = v ? facts.definitions_.find(v->name) : facts.definitions_.end();
      if (it != facts.definitions_.end()) {
        e = it->second;
        return expr(e);
      }
      possible &= !std::holds_alternative<Load>(e->node);
      Rebuilder::expr(e);
    }
  } replace(*this);
  Expr result = e;
  replace.expr(result);
  if (!replace.possible) return std::nullopt;
  for (const Name& n : free_names(result)) replace.possible &= !indices.contains(n);
  return replace.possible ? std::optional(result) : std::nullopt;
}

}  // namespace heddle::nest
