#include "rewrites/contraction/dim_maps.h"

#include "ir/nest/index_map.h"

namespace heddle::contraction {

std::vector<DimMap> dim_maps(const recognize::Contraction& c, const recognize::Operand& o) {
  std::vector<DimMap> maps;
  for (poly::Polynomial p : o.index) {
    DimMap map;
    for (const auto* indices : {&c.parallel, &c.reduction}) {
      for (const recognize::Index& i : *indices) {
        nest::Expr k = nest::to_expr(p.coefficient(i.name));
        map.coefficients.push_back({k, nest::sign(k) == -1});
        p = p.without(i.name);
      }
    }
    map.constant = nest::to_expr(p);
    maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace heddle::contraction
