#include "rewrites/nest/footprint.h"

#include "ir/nest/index_map.h"

namespace heddle::nest {

namespace {

Expr magnitude(const Coefficient& k) { return k.negative ? to_expr(-*from_expr(k.value, no_definition)) : k.value; }

Expr last(const Range& r) { return sub(r.extent, constant(int64_t{1})); }

}  // namespace

std::optional<int> sign(const Expr& e) {
  auto p = from_expr(e, no_definition);
  if (!p) return std::nullopt;
  int sign = 0;
  for (const poly::Term& t : p->terms()) {
    int own = t.coefficient < 0 ? -1 : 1;
    if (sign == -own) return std::nullopt;
    sign = own;
  }
  return sign;
}

bool depends(const DimMap& map, size_t index) { return int_constant(map.coefficients[index].value) != 0; }

Range footprint(const DimMap& map, const Box& box) {
  Range r{map.constant, constant(int64_t{1})};
  for (size_t i = 0; i < box.size(); ++i) {
    const Coefficient& k = map.coefficients[i];
    Expr first = k.negative ? add(box[i].low, last(box[i])) : box[i].low;
    r.low = add(r.low, mul(k.value, first));
    r.extent = add(r.extent, mul(magnitude(k), last(box[i])));
  }
  return r;
}

Expr position(const DimMap& map, const Box& box, const std::vector<Expr>& offsets) {
  Expr at = constant(int64_t{0});
  for (size_t i = 0; i < box.size(); ++i) {
    const Coefficient& k = map.coefficients[i];
    Expr from_first = k.negative ? sub(last(box[i]), offsets[i]) : offsets[i];
    at = add(at, mul(magnitude(k), from_first));
  }
  return at;
}

}  // namespace heddle::nest
