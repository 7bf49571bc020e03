#include "rewrites/contraction/structure.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/traverse.h"

namespace heddle::contraction {

namespace {

bool is_zero(const nest::Expr& e) {
  if (const auto* s = std::get_if<nest::Select>(&e->node)) return is_zero(s->if_true) && is_zero(s->if_false);
  const auto* c = std::get_if<nest::Const>(&e->node);
  return c && c->value == prim::zero(e->type);
}

// Whether a term whose operands are all zero leaves the reduction as it is.
bool zeros_add_nothing(const recognize::Contraction& c) {
  nest::Substitution zeros;
  for (const recognize::Operand& o : c.operands) zeros.emplace(o.value, nest::constant(prim::zero(o.elem)));
  return is_zero(nest::substitute(zeros, c.term)) && c.neutral == prim::zero(c.neutral.type);
}

// Whether a dimension is indexed by this index and nothing else, but for a constant.
bool is_index_alone(const DimMap& map, size_t index) {
  for (size_t i = 0; i < map.coefficients.size(); ++i) {
    if (nest::int_constant(map.coefficients[i].value) != (i == index ? 1 : 0)) return false;
  }
  return true;
}

// Whether the dimension is indexed by this index alone and ends where the index does.
bool follows(const DimMap& map, size_t index, const nest::Expr& extent, const nest::Expr& size) {
  return is_index_alone(map, index) && nest::int_constant(map.constant) == 0 && nest::equal(extent, size);
}

}  // namespace

Structure structure_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers) {
  size_t num_parallel = c.parallel.size(), num_reduction = c.reduction.size();
  Structure s;
  for (const recognize::Operand& o : c.operands) s.maps.push_back(dim_maps(c, o));
  bool harmless = zeros_add_nothing(c);
  for (size_t r = 0; r < num_reduction; ++r) {
    size_t index = num_parallel + r;
    bool window = false, all_follow = harmless;
    for (size_t o = 0; o < c.operands.size(); ++o) {
      const nest::Buffer& buffer = nest::buffer_named(buffers, c.operands[o].buffer);
      bool some_follow = false, others = false;
      for (size_t d = 0; d < s.maps[o].size(); ++d) {
        const DimMap& m = s.maps[o][d];
        if (!depends(m, index)) continue;
        bool follow = follows(m, index, c.reduction[r].extent, buffer.dims[d]);
        some_follow |= follow;
        others |= !follow;
        for (size_t p = 0; p < num_parallel; ++p) window |= depends(m, p);
      }
      all_follow &= some_follow && !others;
    }
    s.window.push_back(window);
    s.may_overrun.push_back(all_follow);
  }
  for (size_t p = 0; p < num_parallel; ++p) {
    bool apart = true;
    for (const std::vector<DimMap>& maps : s.maps) {
      for (const DimMap& m : maps) apart &= !depends(m, p) || is_index_alone(m, p);
    }
    s.separable.push_back(apart);
  }
  return s;
}

}  // namespace heddle::contraction
