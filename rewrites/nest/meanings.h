// What names stand for within a kernel, looked up where it is asked for: expanded beforehand, long chains of definitions would grow
// without bound.
#pragma once

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

class Meanings {
 public:
  explicit Meanings(const Block& body);

  // None where an index is no short polynomial.
  std::optional<Polynomial> polynomial(const Expr& index) const;
  // Of an element whose place depends on nothing that `bound` are the names of.
  std::optional<std::vector<Polynomial>> place(const std::vector<Expr>& index, const NameSet& bound) const;
  // An expression over names that are none of `bound`; null if there is none, or if it reads memory.
  Expr without(const Expr& e, const NameSet& bound) const;

 private:
  Expr short_polynomial(const Name& n) const;

  std::unordered_map<Name, Expr> values_;
  mutable std::unordered_map<Name, Expr> polynomials_;
};

}  // namespace heddle::nest
