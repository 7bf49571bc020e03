#include "rewrites/contraction/footprint.h"

#include "ir/nest/index_map.h"

namespace heddle::contraction {

using nest::Expr;

namespace {

bool negative(const Expr& coefficient) { return sign(coefficient) == -1; }

Expr magnitude(const Expr& coefficient) {
  return negative(coefficient) ? nest::to_expr(-*nest::from_expr(coefficient, nest::no_definition)) : coefficient;
}

Expr last(const Range& r) { return nest::sub(r.extent, nest::constant(int64_t{1})); }

}  // namespace

std::vector<DimMap> dim_maps(const recognize::Contraction& c, const recognize::Operand& o) {
  std::vector<DimMap> maps;
  for (poly::Polynomial p : o.index) {
    DimMap map;
    for (const auto* indices : {&c.parallel, &c.reduction}) {
      for (const recognize::Index& i : *indices) {
        map.coefficients.push_back(nest::to_expr(p.coefficient(i.name)));
        p = p.without(i.name);
      }
    }
    map.constant = nest::to_expr(p);
    maps.push_back(std::move(map));
  }
  return maps;
}

std::optional<int> sign(const Expr& coefficient) {
  auto p = nest::from_expr(coefficient, nest::no_definition);
  if (!p) return std::nullopt;
  int sign = 0;
  for (const poly::Term& t : p->terms()) {
    int own = t.coefficient < 0 ? -1 : 1;
    if (sign == -own) return std::nullopt;
    sign = own;
  }
  return sign;
}

bool depends(const DimMap& map, size_t index) { return nest::int_constant(map.coefficients[index]) != 0; }

Extent footprint(const DimMap& map, const Box& box) {
  Extent e{map.constant, nest::constant(int64_t{1})};
  for (size_t i = 0; i < box.size(); ++i) {
    const Expr& k = map.coefficients[i];
    Expr first = negative(k) ? nest::add(box[i].low, last(box[i])) : box[i].low;
    e.low = nest::add(e.low, nest::mul(k, first));
    e.extent = nest::add(e.extent, nest::mul(magnitude(k), last(box[i])));
  }
  return e;
}

Expr position(const DimMap& map, const Box& box, const std::vector<Expr>& offsets) {
  Expr at = nest::constant(int64_t{0});
  for (size_t i = 0; i < box.size(); ++i) {
    const Expr& k = map.coefficients[i];
    Expr from_first = negative(k) ? nest::sub(last(box[i]), offsets[i]) : offsets[i];
    at = nest::add(at, nest::mul(magnitude(k), from_first));
  }
  return at;
}

}  // namespace heddle::contraction
