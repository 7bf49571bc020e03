// A contraction given in numbers, with the geometry that the compiler makes for its kernel.
#pragma once

extern "C" {
#ifndef HD_API
#define HD_API
#endif
#include "runtime/contraction/tiling.h"
}

#include <vector>

#include "rewrites/contraction/geometry_code.h"

namespace heddle::runtime {

class MadeContraction {
 public:
  // No operand's dimensions have another order in shared memory. Looks at neither the geometry nor the reach of
  // operands; all else must stay as long as this.
  explicit MadeContraction(const hd_contraction& numbers);
  MadeContraction(const MadeContraction&) = delete;

  const hd_contraction& contraction() const { return contraction_; }

 private:
  hd_contraction contraction_;
  std::vector<std::vector<int64_t>> reach_;
  std::vector<hd_tiled_operand> operands_;
  contraction::GeometryCode code_;
};

}  // namespace heddle::runtime
