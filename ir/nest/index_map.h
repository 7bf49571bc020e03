// Index expressions as polynomials and back. Both sides agree modulo 2^64: an expression's additions and
// multiplications may wrap around, and nothing here asks whether they do (facts.h does).
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "ir/nest/nest.h"
#include "ir/poly/polynomial.h"

namespace heddle::nest {

using poly::Polynomial;

// A quotient rounded down, or its remainder, that stands as a name in polynomials.
struct DivisionAtom {
  Polynomial numerator, divisor;
  bool is_remainder = false;
  friend bool operator==(const DivisionAtom&, const DivisionAtom&) = default;
  friend auto operator<=>(const DivisionAtom&, const DivisionAtom&) = default;
};

// The names of divisions: equal ones have the same name.
class DivisionAtoms {
 public:
  explicit DivisionAtoms(NameSource& names) : names_(&names) {}
  Name name(DivisionAtom atom);
  const DivisionAtom* find(const Name& name) const;

 private:
  NameSource* names_;
  std::map<DivisionAtom, Name> names_of_;
  std::map<Name, DivisionAtom> atoms_;
};

// What a Let defines a name as; null for names that are not looked through.
using Definitions = std::function<Expr(const Name&)>;
inline Expr no_definition(const Name&) { return nullptr; }

// None if `e` is not an i64 expression of constants, variables, +, -, * and, where `atoms` is given, floor division and
// its remainder. A variable whose definition is no such expression stands for itself.
std::optional<Polynomial> from_expr(const Expr& e, const Definitions& definitions, DivisionAtoms* atoms = nullptr);

// `atoms`: what the names of divisions in `p` mean.
Expr to_expr(const Polynomial& p, const DivisionAtoms* atoms = nullptr);

}  // namespace heddle::nest
