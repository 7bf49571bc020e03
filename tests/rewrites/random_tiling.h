// Random tilings of random contractions.
#pragma once

#include <unordered_map>

#include "rewrites/contraction/model_shape.h"
#include "tests/rewrites/random_contraction.h"

namespace heddle::contraction {

int64_t pick(int64_t low, int64_t high);

// What expressions over scalars and constants of a kernel come to.
class Numbers {
 public:
  explicit Numbers(const std::unordered_map<Name, int64_t>& scalars);
  void set(const Name& name, int64_t value);
  int64_t operator()(const nest::Expr& e) const;

 private:
  std::unordered_map<Name, prim::Value> values_;
};

// The scalars of a way to compute the contraction.
Numbers random_numbers(const examples::RandomContraction& random, const lower::Specialized& way);

// Values that hd_tiling_settle allows, or that only the recipe does.
hd_tiling random_tiling(const hd_contraction& c);

}  // namespace heddle::contraction
