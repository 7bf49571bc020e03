// Which reductions, scans and histograms stay such: those that blocks of threads can do together.
#pragma once

#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// All others become maps (seg::by_threads), and those that stay are as their recipes want them (seg::with_segments). Where
// blocks run kernels, one thread computes what they need of elements (seg::scalars_on_device), and arrays get the order in which their threads
// read them (columns_first.h). Before anything is planned,
// since how arrays lie in memory follows from what makes them. Throws Refused.
seg::Program for_device(const seg::Program& program, Device device, NameSource& names);

}  // namespace heddle::lower
