// The second version of a contraction: tiled, and compiled for the sizes at hand.
#pragma once

#include "rewrites/recipes/way.h"

namespace heddle::lower {

// The tiled kernel (contraction/tiled.h) of a way, in which window extents are constants, and its launches. Refuses
// what no tiling suits.
Specialized specialize(const Way& way, NameSource& names);

// The parameters of a way's kernel as they are before any are fixed; its body is of no use then.
nest::Kernel unfixed_kernel(const Specialized& way);

}  // namespace heddle::lower
