#include "rewrites/contraction/structure.h"

#include <algorithm>
#include <numeric>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/reuse.h"

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
    if (nest::int_constant(map.coefficients[i]) != (i == index ? 1 : 0)) return false;
  }
  return true;
}

// The order in which the dimensions of an operand are staged. Where only the reduction runs along the last one, a
// thread's points would lie rows apart: then the next one along which there are points comes last. But where each
// element is used once, copying it in wide pieces matters more than loading it so from shared memory.
std::vector<size_t> staged_order(const std::vector<DimMap>& maps, size_t num_parallel, bool is_reused) {
  std::vector<size_t> order(maps.size());
  std::iota(order.begin(), order.end(), 0);
  auto of_points = [&](const DimMap& m) {
    for (size_t p = 0; p < num_parallel; ++p) {
      if (depends(m, p)) return true;
    }
    return false;
  };
  if (maps.empty() || !is_reused || of_points(maps.back())) return order;
  for (size_t d = maps.size() - 1; d-- > 0;) {
    if (!of_points(maps[d])) continue;
    std::rotate(order.begin() + static_cast<long>(d), order.begin() + static_cast<long>(d) + 1, order.end());
    return order;
  }
  return order;
}

// Whether the dimension is indexed by this index alone and ends where the index does.
bool follows(const DimMap& map, size_t index, const nest::Expr& extent, const nest::Expr& size) {
  return is_index_alone(map, index) && nest::int_constant(map.constant) == 0 && nest::equal(extent, size);
}

}  // namespace

Structure structure_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers) {
  size_t num_parallel = c.parallel.size(), num_reduction = c.reduction.size();
  Structure s;
  for (const recognize::Operand& o : c.operands) {
    s.maps.push_back(dim_maps(c, o));
    s.staged.push_back(staged_order(s.maps.back(), num_parallel, reuse_of(c, o) > 1));
  }
  bool harmless = zeros_add_nothing(c);
  for (size_t r = 0; r < num_reduction; ++r) {
    size_t index = num_parallel + r;
    bool window = false, all_follow = harmless;
    for (size_t o = 0; o < c.operands.size(); ++o) {
      auto same = [&](const nest::Buffer& b) { return b.name == c.operands[o].buffer; };
      const nest::Buffer& buffer = *std::find_if(buffers.begin(), buffers.end(), same);
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
  for (size_t o = 0; o < s.maps.size(); ++o) {
    bool by_group = false;
    for (size_t d : s.staged[o]) {
      const DimMap& m = s.maps[o][d];
      bool parallel = false, reduction = false;
      for (size_t p = 0; p < num_parallel; ++p) parallel |= depends(m, p);
      for (size_t r = 0; r < num_reduction; ++r) reduction |= depends(m, num_parallel + r);
      by_group |= reduction && (parallel || d == s.staged[o].back());
    }
    s.by_group.push_back(by_group);
  }
  return s;
}

}  // namespace heddle::contraction
