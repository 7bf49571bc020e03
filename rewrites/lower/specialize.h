// The second version of a contraction: tiled, and compiled for the sizes at hand.
#pragma once

#include "rewrites/lower/way.h"

namespace heddle::lower {

// The tiled kernel (contraction/tiled.h) of a way, in which window extents are constants, and its launches. Refuses
// what no tiling suits.
Specialized specialize(const Way& way, seg::NameSource& names);

}  // namespace heddle::lower
