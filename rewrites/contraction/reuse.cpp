#include "rewrites/contraction/reuse.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/traverse.h"

namespace heddle::contraction {

namespace {

// Of a stencil: windows of 8x8.
constexpr int64_t kMaxTerms = 64;

int64_t times(int64_t points, const nest::Expr& extent) {
  return std::min(kManyPoints,
                  points * std::clamp<int64_t>(nest::int_constant(extent).value_or(kManyPoints), 1, kManyPoints));
}

// Whether elements of the operand are picked by some of the indices from number `from` to before number `to`.
bool is_picked_by(const recognize::Contraction& c, const recognize::Operand& o, size_t from, size_t to) {
  return std::ranges::any_of(dim_maps(c, o), [&](const DimMap& m) {
    for (size_t i = from; i < to; ++i) {
      if (depends(m, i)) return true;
    }
    return false;
  });
}

bool differs_by_point(const recognize::Contraction& c, const recognize::Operand& o) {
  return is_picked_by(c, o, 0, c.parallel.size());
}

bool differs_by_term(const recognize::Contraction& c, const recognize::Operand& o) {
  return is_picked_by(c, o, c.parallel.size(), c.parallel.size() + c.reduction.size());
}

// Whether what a point reads along an index of the reduction, of a number that is not known, begins where that of the point before it ends: parts of a
// row, and no window.
bool are_side_by_side(const recognize::Contraction& c, const DimMap& m, size_t p, size_t r) {
  const nest::Expr& terms = c.reduction[r].extent;
  return !nest::int_constant(terms) &&
         nest::equal(m.coefficients[p].value, nest::mul(m.coefficients[c.parallel.size() + r].value, terms));
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
        if (depends(m, p) && depends(m, num_parallel + r) && !are_side_by_side(c, m, p, r)) return true;
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
    if (differs_by_term(c, o)) least = std::min(least, reuse_of(c, o));
  }
  return least;
}

bool reads_rows_once(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers) {
  if (c.reduction.size() != 1) return false;
  return std::ranges::any_of(c.operands, [&](const recognize::Operand& o) {
    if (!differs_by_term(c, o) || reuse_of(c, o) > 1) return false;
    const nest::Buffer& buffer = nest::buffer_named(buffers, o.buffer);
    std::vector<DimMap> maps = dim_maps(c, o);
    for (size_t d = 0; d < maps.size(); ++d) {
      const DimMap& m = maps[d];
      if (nest::int_constant(buffer.strides[d]) == 1 &&
          nest::int_constant(m.coefficients[c.parallel.size()].value) == 1)
        return true;
    }
    return false;
  });
}

bool is_stencil(const recognize::Contraction& c) {
  return is_filter(c) &&
         std::ranges::all_of(c.operands, [&](const recognize::Operand& o) { return differs_by_point(c, o); });
}

bool is_filter(const recognize::Contraction& c) {
  int64_t terms = 1, most_reuse = 1;
  for (const recognize::Index& r : c.reduction) terms = times(terms, r.extent);
  for (const recognize::Operand& o : c.operands) {
    if (differs_by_point(c, o)) most_reuse = std::max(most_reuse, reuse_of(c, o));
  }
  return terms <= kMaxTerms && 1 < most_reuse && most_reuse <= terms;
}

bool is_uniform(const recognize::Contraction& c) {
  return std::ranges::none_of(
      c.operands, [&](const recognize::Operand& o) { return differs_by_point(c, o) && differs_by_term(c, o); });
}

}  // namespace heddle::contraction
