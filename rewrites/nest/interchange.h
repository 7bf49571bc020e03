// Exchanges two nested loops.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in n { let y = t + i; if y < h { for j in m { S(y, j) } } }
//   becomes
// for j in m { for i in n { let y = t + i; if y < h { S(y, j) } } }
// where `outer` is i. Between the loops may stand what computes and tests indices only, and the inner extent must not
// depend on the outer index.
//
// Legal if no dependence has the direction (<, >), other than one between the steps of a reduction.
Result<Rewritten> interchange(const Kernel& kernel, const Name& outer, NameSource& names);

}  // namespace heddle::nest
