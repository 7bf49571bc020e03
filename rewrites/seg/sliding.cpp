#include "rewrites/seg/sliding.h"

#include <algorithm>

namespace heddle::seg {

namespace {

bool is_one(const std::optional<TiledContraction::Step>& s) {
  return s && !s->backwards && s->size.int_constant() == 1;
}

std::optional<size_t> slides_along(const TiledContraction& c, const TiledContraction::Operand& o, size_t r) {
  auto goes_along = [&](size_t p) {
    return std::ranges::count_if(o.dims, [&](const auto& d) { return d.parallel[p].has_value(); });
  };
  if (std::ranges::count_if(o.dims, [&](const auto& d) { return d.reduction[r].has_value(); }) != 1)
    return std::nullopt;
  for (const TiledContraction::Dim& d : o.dims) {
    if (!is_one(d.reduction[r])) continue;
    for (size_t p = 0; p < c.parallel.size(); ++p) {
      if (is_one(d.parallel[p]) && c.parallel[p].points > 1 && goes_along(p) == 1) return p;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Sliding> sliding(const TiledContraction& c) {
  for (size_t r = 0; r < c.reduction.size(); ++r) {
    Sliding s{r, {}};
    for (const auto& o : c.operands) s.points.push_back(slides_along(c, o, r));
    if (std::ranges::any_of(s.points, [](const auto& p) { return p.has_value(); })) return s;
  }
  return std::nullopt;
}

}  // namespace heddle::seg
