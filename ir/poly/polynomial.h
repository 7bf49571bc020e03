// Polynomials with integer coefficients over names: what index arithmetic comes down to, and what is asked of it.
//
// A polynomial is a value: immutable once built, with one representation for equal ones. Arithmetic in which a
// coefficient leaves int64_t throws Refused, which the exported function of a pass turns into "cannot do this yet" as
// it does with every other refusal.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/support/names.h"

namespace heddle::poly {

// A product of names, in ascending order, repeated for powers; the empty one is 1.
using Monomial = std::vector<Name>;

struct Term {
  Monomial monomial;
  int64_t coefficient;  // not 0
  friend bool operator==(const Term&, const Term&) = default;
  friend auto operator<=>(const Term&, const Term&) = default;
};

class Polynomial {
 public:
  Polynomial() = default;        // 0
  Polynomial(int64_t constant);  // NOLINT: a number is a polynomial
  static Polynomial of(Name name);
  static Polynomial of(Term term);

  // In ascending order of monomials, so that a constant term comes first.
  const std::vector<Term>& terms() const { return terms_; }

  bool is_zero() const { return terms_.empty(); }
  // Its value, if no names occur.
  std::optional<int64_t> as_constant() const;
  // Its only name, if it is one name with coefficient 1.
  std::optional<Name> as_name() const;
  int64_t constant_term() const;

  // The names that occur, in ascending order.
  std::vector<Name> names() const;
  bool mentions(const Name& name) const;
  // The highest power of `name`.
  int degree_in(const Name& name) const;
  // The polynomial that `name` to the first power is multiplied with: this == coefficient(name)*name + without(name)
  // where degree_in(name) <= 1.
  Polynomial coefficient(const Name& name) const;
  // What does not contain `name`.
  Polynomial without(const Name& name) const;

  Polynomial substitute(const Name& name, const Polynomial& replacement) const;
  // p / divisor where that is a polynomial again.
  std::optional<Polynomial> divided_by(const Polynomial& divisor) const;
  struct Division;
  // By a divisor that is not zero: what is left has no term that is a multiple of the divisor's leading one, except
  // that coefficients need not divide each other but in the constant term.
  Division divided_with_rest(const Polynomial& divisor) const;
  // The value where the names have the given values; none where that leaves int64_t.
  std::optional<int64_t> eval(const std::function<int64_t(const Name&)>& value) const;

  size_t hash() const;
  // As "3*i_4 + n_1*m_2 - 1"; "0" if there are no terms.
  std::string to_string() const;

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a);
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
  friend auto operator<=>(const Polynomial&, const Polynomial&) = default;

 private:
  explicit Polynomial(std::vector<Term> terms) : terms_(std::move(terms)) {}
  std::vector<Term> terms_;
};

// dividend == divisor * quotient + rest
struct Polynomial::Division {
  Polynomial quotient, rest;
};

}  // namespace heddle::poly

template <>
struct std::hash<heddle::poly::Polynomial> {
  size_t operator()(const heddle::poly::Polynomial& p) const noexcept { return p.hash(); }
};
