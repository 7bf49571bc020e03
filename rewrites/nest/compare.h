// Runs two kernels on the same small data.
#pragma once

#include <string>
#include <unordered_map>

#include "ir/nest/nest.h"

namespace heddle::nest {

// What differs between the results of two kernels with the same buffers, or what goes wrong in one of them; empty if
// nothing does. `values` are those of all scalars and constants. Buffers that `before` reads hold small integers, so that
// sums have the same bits in any order; the others hold nothing.
struct Difference {
  std::string text;
  bool in_before = false;  // it is `before` that goes wrong
};
Difference difference(const Kernel& before, const Kernel& after, const std::unordered_map<Name, prim::Value>& values);

}  // namespace heddle::nest
