#include "rewrites/contraction/model_shape.h"

#include <algorithm>

namespace heddle::contraction {

namespace {

// As hd_row_alignment in runtime/families/variants.c.
int64_t aligned(int64_t row, prim::Type elem) {
  int64_t widest = HD_WIDE_BYTES / prim::size_bytes(elem);
  while (widest > 1 && row % widest != 0) widest /= 2;
  return std::max<int64_t>(widest, 1);
}

void copy_flags(const std::vector<bool>& from, std::array<bool, HD_MAX_TILED_INDICES>& to) {
  std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
}

}  // namespace

ModelShape::ModelShape(const Shape& shape, const Geometry& geometry, const Tiling& tiling,
                       const std::function<int64_t(const nest::Expr&)>& number, int num_by_blocks)
    : geometry_(geometry, tiling, number) {
  auto numbers = [&](const std::vector<nest::Expr>& list) {
    std::vector<int64_t> result;
    for (const nest::Expr& e : list) result.push_back(number(e));
    return result;
  };
  extents_ = numbers(shape.extents);
  copy_flags(shape.separable, separable_);
  copy_flags(shape.window, window_);
  copy_flags(shape.may_overrun, may_overrun_);
  for (const OperandShape& o : shape.operands) {
    coefficients_.push_back(numbers(o.coefficients));
    constants_.push_back(numbers(o.constants));
    reach_.push_back(numbers(o.reach));
  }
  for (size_t i = 0; i < shape.operands.size(); ++i) {
    const OperandShape& o = shape.operands[i];
    operands_.push_back({static_cast<int>(constants_[i].size()), prim::size_bytes(o.elem), coefficients_[i].data(),
                         constants_[i].data(), reach_[i].data(), aligned(number(o.row), o.elem), o.by_group,
                         o.transposed});
  }
  contraction_ = {static_cast<int>(shape.num_parallel),
                  static_cast<int>(shape.num_reduction),
                  static_cast<int>(shape.operands.size()),
                  extents_.data(),
                  separable_.data(),
                  window_.data(),
                  may_overrun_.data(),
                  prim::size_bytes(shape.sum),
                  aligned(extents_[shape.num_parallel - 1], shape.result),
                  operands_.data(),
                  num_by_blocks,
                  geometry_.functions(),
                  shape.products};
}

}  // namespace heddle::contraction
