// Guards of a term that zeros from outside of an array stand for.
#pragma once

#include <optional>
#include <vector>

#include "rewrites/recognize/recognize.h"

namespace heddle::recognize {

// What the zeros that stand for guards are multiplied with.
enum class Absorbs { Anything, Numbers };

// Whether an operator's result is no number where an operand is none, and the same for zeros of either sign, but for its own sign. A minimum may hide what
// is no number, and a quotient tells the signs of zeros apart.
bool passes_on(const prim::Op& op);

// A value that is a constant unless all guards hold.
struct Guarded {
  std::vector<nest::Expr> guards;  // outermost first
  nest::Expr value;
  std::optional<prim::Value> otherwise;

  // Another value under the same guards.
  nest::Expr with(nest::Expr other) const;
};
Guarded guarded(const nest::Expr& e);

struct ZeroPadded {
  nest::Expr value;        // without the guards
  const nest::Load* load;  // of an element in it that is zero outside of its array
};

// Of the terms of a point, over the indices of its reduction.
class ZeroPadding {
 public:
  ZeroPadding(const PointNest& point, const std::vector<Index>& reduction) : point_(point), reduction_(reduction) {}

  // A guarded value, if the guards only keep an index within bounds, and zero there makes it what it is where they do
  // not hold.
  std::optional<ZeroPadded> zero_padded(const nest::Expr& e, Absorbs absorbs) const;

  // A guarded choice between two values as a choice between guarded ones, where each then needs no guard, as elements of arrays that were put side by
  // side: G ? (c ? a[i] : b[i]) : 0  is  c ? (G ? a[i] : 0) : (G ? b[i] : 0).
  std::optional<nest::Expr> padded_apart(const nest::Expr& e, Absorbs absorbs) const;

  // A guarded product of integers as a product with one guarded factor, of an element that may be outside of its array: G ? (a[i] - z) * b[j] : 0 is
  // (G ? a[i] - z : 0) * b[j], whose factor is the same for all points that differ in j.
  std::optional<nest::Expr> guarded_factor(const nest::Expr& e) const;

  // Whether an element lies inside of its array for all values of the indices.
  bool always_inside(const nest::Load& load) const;

 private:
  const nest::Buffer* array_of(const nest::Load& load) const;
  bool guards_only_bounds(const nest::Load& load, const std::vector<nest::Expr>& guards) const;

  const PointNest& point_;
  const std::vector<Index>& reduction_;
};

}  // namespace heddle::recognize
