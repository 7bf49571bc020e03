#include "made_contraction.h"

#include <numeric>

namespace heddle::runtime {

namespace {

using contraction::DimMap;

nest::Expr number(int64_t n) { return nest::constant(n); }

prim::Type type_of(int64_t elem_size) {
  return elem_size == 8   ? prim::Type::F64
         : elem_size == 4 ? prim::Type::F32
         : elem_size == 2 ? prim::Type::F16
                          : prim::Type::I8;
}

int num_indices(const hd_contraction& c) { return c.num_parallel + c.num_reduction; }

std::vector<DimMap> maps_of(const hd_contraction& c, const hd_tiled_operand& o) {
  std::vector<DimMap> maps;
  for (int d = 0; d < o.rank; ++d) {
    DimMap m{number(o.constants[d]), {}};
    for (int i = 0; i < num_indices(c); ++i) {
      int64_t k = o.coefficients[d * num_indices(c) + i];
      m.coefficients.push_back({number(k), k < 0});
    }
    maps.push_back(m);
  }
  return maps;
}

recognize::Contraction match_of(const hd_contraction& c, NameSource& names) {
  recognize::Contraction match{{},
                               {},
                               {},
                               number(0),
                               prim::Op(prim::Family::FAdd, prim::Type::F32),
                               prim::zero(type_of(c.elem_size)),
                               names.fresh("sum"),
                               {}};
  for (int i = 0; i < num_indices(c); ++i) {
    (i < c.num_parallel ? match.parallel : match.reduction).push_back({names.fresh("i"), number(c.extents[i])});
  }
  for (int o = 0; o < c.num_operands; ++o) {
    match.operands.push_back({names.fresh("value"), names.fresh("array"), type_of(c.operands[o].elem_size), {}});
  }
  return match;
}

contraction::Structure structure_of(const hd_contraction& c) {
  contraction::Structure s;
  s.separable.assign(c.separable, c.separable + c.num_parallel);
  s.window.assign(c.window, c.window + c.num_reduction);
  s.may_overrun.assign(c.may_overrun, c.may_overrun + c.num_reduction);
  for (int o = 0; o < c.num_operands; ++o) s.maps.push_back(maps_of(c, c.operands[o]));
  return s;
}

contraction::GeometryCode code_of(const hd_contraction& c) {
  NameSource names(1);
  recognize::Contraction match = match_of(c, names);
  contraction::Tiling tiling = contraction::name_tiling(match, names);
  contraction::Structure structure = structure_of(c);
  contraction::Schedule schedule = contraction::full_schedule(match, structure, tiling);
  for (int o = 0; o < c.num_operands; ++o) {
    contraction::Schedule::Operand& operand = schedule.operands[static_cast<size_t>(o)];
    std::iota(operand.order.begin(), operand.order.end(), 0);
    operand.by_group = c.operands[o].by_group;
  }
  // Nothing has a name that is not the tiling's.
  return {contraction::geometry_of(match, structure, schedule), tiling, [](const nest::Expr&) { return int64_t{0}; }};
}

}  // namespace

MadeContraction::MadeContraction(const hd_contraction& numbers)
    : contraction_(numbers),
      operands_(numbers.operands, numbers.operands + numbers.num_operands),
      code_(code_of(numbers)) {
  contraction::Box all;
  for (int i = 0; i < num_indices(numbers); ++i) all.push_back({number(0), number(numbers.extents[i])});
  for (hd_tiled_operand& o : operands_) {
    std::vector<int64_t>& reach = reach_.emplace_back();
    for (const DimMap& m : maps_of(numbers, o)) reach.push_back(*nest::int_constant(footprint(m, all).extent));
  }
  for (size_t o = 0; o < operands_.size(); ++o) operands_[o].reach = reach_[o].data();
  contraction_.operands = operands_.data();
  contraction_.geometry = code_.functions();
}

}  // namespace heddle::runtime
