// Separates full tiles from the rest.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for t in ceil(n / T) { for i in min(T, n - t * T) { S(t * T + i) } }
//   becomes
// for t in n / T { for i in T { S(t * T + i) } }
// if 0 < n % T { let t_rest = n / T; for i in n % T { S(t_rest * T + i) } }
// and where a test is in the place of the minimum,
// for t in ceil(n / T) { for i in T { let y = t * T + i; if y < n { S(y) } } }
//   becomes
// for t in n / T { for i in T { let y = t * T + i; S(y) } }
// if 0 < n % T { let t_rest = n / T; for i in T { let y = t_rest * T + i; if y < n { S(y) } } }
//
// Legal for every serial loop over tiles of something that is not negative: all tiles before the last one are full. The
// loops made are those of the rest.
Result<Rewritten> peel(const Kernel& kernel, const Name& loop, NameSource& names);

}  // namespace heddle::nest
