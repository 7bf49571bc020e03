// Between which numbers a float lies, whatever it was computed from: what a clamp, a narrow integer or a constant says of it.
//
//   let v = fmax32(0, fmin32(1, a[i]))      0 .. 1, even if the element is NaN, of which fmin and fmax take the other
//   let z = v * 10 + 0.5                    0.5 .. 10.5
//
// So indices by data can be proved to be inside of what they look up.
#pragma once

#include <optional>

#include "ir/nest/index_map.h"

namespace heddle::nest {

// Of a value that is no NaN. Either bound may be infinite.
struct FloatRange {
  double low, high;
};

// Of an f32 or f64, over what names mean. Sums and products are taken as rounded or not, as compilers contract them: the range holds
// for both. None if the value may be a NaN, as far as can be seen in a fixed number of steps.
std::optional<FloatRange> float_range(const Expr& e, const Definitions& definitions);

// Of what the operation makes of a float, if it makes an integer and its bounds are such as that has.
struct IntegerRange {
  int64_t low, high;
};
std::optional<IntegerRange> rounded_range(const Operation& o, const Definitions& definitions);

}  // namespace heddle::nest
