// Cuts a loop into tiles.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in n { S(i) }
//   becomes, for a tile of T,
// for i_tile in ceil(n / T) { for i_in in min(T, n - i_tile * T) { let i = i_tile * T + i_in; S(i) } }
// and, where T is known to divide n,
// for i_tile in n / T { for i_in in T { let i = i_tile * T + i_in; S(i) } }
//
// `tile` is made of positive numbers and the kernel's constants; `outer` and `inner` are what the new indices are
// called. Legal for every serial loop: the iterations keep their order.
Result<Rewritten> stripmine(const Kernel& kernel, const Name& loop, const Expr& tile, const std::string& outer,
                            const std::string& inner, NameSource& names);

}  // namespace heddle::nest
