// Evaluates a tiled kernel beside the one that computes the contraction point by point.
#pragma once

#include <functional>

#include "tests/rewrites/contraction_examples.h"

namespace heddle::examples {

// The element of a buffer, by its number.
using Data = std::function<prim::Value(prim::Type, size_t buffer, int64_t element)>;

// So that every order of summation gives the same bits.
prim::Value small_integer(prim::Type type, size_t buffer, int64_t element);

// Runs both on the same data; what is wrong with the tiled kernel, or nothing. `constants` and `tiles` are the names
// and values of the tiling's constants, `sizes` the direct kernel's scalars.
std::string difference(const Example& e, const nest::Kernel& tiled, const std::vector<Name>& constants,
                       const std::vector<int64_t>& tiles, const std::vector<int64_t>& sizes,
                       const Data& data = small_integer);

}  // namespace heddle::examples
