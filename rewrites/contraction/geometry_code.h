// A kernel's geometry where no C compiler has seen it: for the compiler itself, which asks the runtime's model about
// tilings.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "ir/nest/integer_code.h"
#include "rewrites/contraction/geometry.h"

namespace heddle::contraction {

// Of a kernel within the limits of runtime/device/limits.h; of others there is none.
class GeometryCode {
 public:
  // `number` is the value of a size of the contraction.
  GeometryCode(const Geometry& geometry, const Tiling& tiling, const std::function<int64_t(const nest::Expr&)>& number);

  // As long as this exists, where it is.
  hd_geometry_functions functions() const;

 private:
  // Expressions over the tiling, and which members of a struct they are for.
  struct Code {
    nest::IntegerCode code;
    std::vector<size_t> offsets;
  };
  void run(const Code& code, const hd_tiling& tiling, void* geometry) const;

  std::vector<size_t> inputs_;  // offsets of the tiling's members
  std::vector<Code> codes_;     // hd_tile_geometry's and hd_kernel_geometry's; empty if there is none
};

}  // namespace heddle::contraction
