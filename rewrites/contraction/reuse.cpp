#include "rewrites/contraction/reuse.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::contraction {

namespace {

// Of a stencil: windows of 8x8.
constexpr int64_t kMaxTerms = 64;

int64_t times(int64_t points, const nest::Expr& extent) {
  return std::min(kManyPoints,
                  points * std::clamp<int64_t>(nest::int_constant(extent).value_or(kManyPoints), 1, kManyPoints));
}

}  // namespace

int64_t reuse_of(const recognize::Contraction& c, const recognize::Operand& operand) {
  std::vector<DimMap> maps = dim_maps(c, operand);
  size_t num_parallel = c.parallel.size();
  int64_t points = 1;
  for (size_t p = 0; p < num_parallel; ++p) {
    if (std::none_of(maps.begin(), maps.end(), [&](const DimMap& m) { return depends(m, p); }))
      points = times(points, c.parallel[p].extent);
  }
  for (size_t r = 0; r < c.reduction.size(); ++r) {
    auto is_window = [&](const DimMap& m) {
      for (size_t p = 0; p < num_parallel; ++p) {
        if (depends(m, p) && depends(m, num_parallel + r)) return true;
      }
      return false;
    };
    if (std::any_of(maps.begin(), maps.end(), is_window)) points = times(points, c.reduction[r].extent);
  }
  return points;
}

int64_t least_reuse(const recognize::Contraction& c) {
  int64_t least = kManyPoints;
  for (const recognize::Operand& o : c.operands) {
    std::vector<DimMap> maps = dim_maps(c, o);
    auto of_terms = [&](const DimMap& m) {
      for (size_t r = 0; r < c.reduction.size(); ++r) {
        if (depends(m, c.parallel.size() + r)) return true;
      }
      return false;
    };
    if (std::any_of(maps.begin(), maps.end(), of_terms)) least = std::min(least, reuse_of(c, o));
  }
  return least;
}

bool is_stencil(const recognize::Contraction& c) {
  int64_t terms = 1, most_reuse = 1;
  for (const recognize::Index& r : c.reduction) terms = times(terms, r.extent);
  for (const recognize::Operand& o : c.operands) most_reuse = std::max(most_reuse, reuse_of(c, o));
  return terms <= kMaxTerms && 1 < most_reuse && most_reuse <= terms;
}

}  // namespace heddle::contraction
