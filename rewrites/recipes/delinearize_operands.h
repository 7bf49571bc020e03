// Sees flattened arrays in the dimensions that a contraction runs through.
#pragma once

#include <functional>

#include "ir/nest/facts.h"
#include "rewrites/recipes/plan.h"

namespace heddle::lower {

//   sum over i, j of a[i * w + j] * ...      where 0 <= j < w and a has h * w elements
// becomes
//   sum over i, j of a'[i][j] * ...          where a' is the memory of a, of h rows of w elements each
// so that a tile is a box, and neighbouring rows need not be neighbours in it. `launch`: of the kernel whose buffers
// the operands are; it gets one more for each that is seen in another way. `facts` know the contraction's indices.
//
// The result is the condition under which that is right, null if it always is: arrays of which it is not known that
// they have whole rows must have them. It is one on what `on_host` holds for.
nest::Expr delinearize_operands(recognize::Contraction& c, Launch& launch, nest::Facts& facts,
                                const std::function<bool(const Name&)>& on_host, NameSource& names);

}  // namespace heddle::lower
