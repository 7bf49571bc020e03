// The condition, over the host's scalars, under which the checks that remain in a point's work cannot fail, whatever
// its indices are: each check at the corner of the box of indices that is worst for it.
//
//   indices y < m;  for r < k { if !(s*y + r < n) { fail } }      s >= 0
// gives
//   s*(m - 1) + k - 1 < n
// Where the box is empty, or where other conditions stand before a check, the condition may be false although nothing
// fails. Checks that are neither comparisons of affine integers nor the host's own booleans are passed over.
#pragma once

#include <functional>

#include "ir/nest/facts.h"
#include "rewrites/recognize/recognize.h"

namespace heddle::lower {

// Whether the host has a scalar of this name and type.
using IsHostScalar = std::function<bool(const Name&, prim::Type)>;

// `facts`: what is known where the work begins. Null if there is nothing to demand.
nest::Expr hoisted_checks(const nest::Block& work, const std::vector<recognize::Index>& indices, nest::Facts& facts,
                          const IsHostScalar& is_host_scalar);

}  // namespace heddle::lower
