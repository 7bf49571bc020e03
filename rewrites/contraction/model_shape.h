// A contraction's shape in numbers, for asking the runtime's model about its tilings.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "rewrites/contraction/geometry_code.h"
#include "rewrites/contraction/shape.h"

extern "C" {
#include "runtime/contraction/tiling.h"
}

namespace heddle::contraction {

// Of what is within the limits of runtime/device/limits.h; else hd_tiling_has_room says no, and nothing else holds.
// Arrays begin at multiples of everything.
class ModelShape {
 public:
  // `geometry` is that of the kernel for this tiling. `number` is the value of an expression of the shape. The first
  // `num_by_blocks` parallel indices are run through by blocks.
  ModelShape(const Shape& shape, const Geometry& geometry, const Tiling& tiling,
             const std::function<int64_t(const nest::Expr&)>& number, int num_by_blocks);
  ModelShape(const ModelShape&) = delete;
  ModelShape& operator=(const ModelShape&) = delete;

  // As long as this exists.
  const hd_contraction& contraction() const { return contraction_; }

 private:
  std::vector<int64_t> extents_;
  std::array<bool, HD_MAX_TILED_INDICES> separable_{}, window_{}, may_overrun_{};
  std::vector<std::vector<int64_t>> coefficients_, constants_, reach_;
  GeometryCode geometry_;
  std::vector<hd_tiled_operand> operands_;
  hd_contraction contraction_{};
};

}  // namespace heddle::contraction
