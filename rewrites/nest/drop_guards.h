// Leaves out tests whose outcome decides only about registers that nobody reads.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in R { if t + i < n { acc[i] := 0 } }
// for k in m { for i in R { if t + i < n { acc[i] := acc[i] + tile[i + k] } } }
// for i in R { if t + i < n { out[t + i] := acc[i] } }
//   becomes, for acc,
// for i in R { acc[i] := 0 }
// for k in m { for i in R { acc[i] := acc[i] + tile[i + k] } }
// for i in R { if t + i < n { out[t + i] := acc[i] } }
//
// Legal for a register buffer that is only used under the same test of its index (tests of sizes aside), so that what
// is in the other elements reaches no other memory; if what is stored to it cannot go wrong there either: it has only
// operators that are defined for all operands, and reads only the buffer's element itself and shared tiles that the
// threads have filled, at indices that are inside of them for all values of the loop indices.
Result<Rewritten> drop_guards(const Kernel& kernel, const Name& buffer, NameSource& names);

}  // namespace heddle::nest
