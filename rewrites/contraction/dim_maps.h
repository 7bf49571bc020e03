// How the dimensions of a contraction's operands follow its indices.
#pragma once

#include <vector>

#include "rewrites/nest/footprint.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

using nest::Box;
using nest::DimMap;

// One per dimension of the operand, over the contraction's indices: first the parallel ones, then those of the
// reduction. Names in coefficients are not negative: whoever launches the kernel sees to that.
std::vector<DimMap> dim_maps(const recognize::Contraction& c, const recognize::Operand& o);

}  // namespace heddle::contraction
