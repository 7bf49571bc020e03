// Evaluates a tiled kernel beside the one that computes the contraction point by point.
#pragma once

#include "tests/rewrites/contraction_examples.h"

namespace heddle::examples {

// Runs both on small integers; what is wrong with the tiled kernel, or nothing. `constants` and `tiles` are the names
// and values of the tiling's constants, `sizes` the direct kernel's scalars.
std::string difference(const Example& e, const nest::Kernel& tiled, const std::vector<nest::Name>& constants,
                       const std::vector<int64_t>& tiles, const std::vector<int64_t>& sizes);

}  // namespace heddle::examples
