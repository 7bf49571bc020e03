// Makes one loop over several statements into several loops.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in R { let y = t + i;
//   if y < h { alloc acc; acc[] := 0; for k in n { acc[] := acc[] + a[y][k] } out[y] := acc[] } }
//   becomes
// alloc acc[R];
// for i in R { let y = t + i; if y < h { acc[i] := 0 } }
// for i in R { let y = t + i; if y < h { for k in n { acc[i] := acc[i] + a[y][k] } } }
// for i in R { let y = t + i; if y < h { out[y] := acc[i] } }
// Buffers and values that one statement leaves to another are expanded: each iteration has its own element of them.
//
// Legal if no statement depends on a later one of an earlier iteration; for that, loops without dependences between
// iterations are the simplest case. Expansion needs an extent that is constant.
Result<Rewritten> distribute(const Kernel& kernel, const Name& loop, NameSource& names);

}  // namespace heddle::nest
