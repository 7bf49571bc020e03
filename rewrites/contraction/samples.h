// Small sizes on which two nests for one contraction are compared.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rewrites/contraction/steps.h"

namespace heddle::contraction {

using Sample = std::unordered_map<Name, prim::Value>;  // of all scalars and constants of a kernel

// Tiles of a few indices, and extents of 0, 1, a prime, and one less, as many and one more than a block tile has;
// buffers as large as their indices need. Window extents and tiles are positive; what of a tiling follows from the rest
// is as the runtime has it. Samples for which the direct nest cannot be evaluated, or a tiled one would take long, are
// left out, so that there may be none.
std::vector<Sample> samples(const Derivation& derivation);

// As "T_y_4 = 2, n_1 = 5, ...".
std::string to_text(const Sample& sample);

}  // namespace heddle::contraction
