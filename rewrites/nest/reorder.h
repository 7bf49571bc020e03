// Lets the elements of a buffer lie in another order.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// alloc tile: shared f32[Z][I]; ... tile[z][i] := a[z][i]; ... tile[t * R + e][i] ...
//   becomes, for the order 1, 0,
// alloc tile: shared f32[I][Z]; ... tile[i][z] := a[z][i]; ... tile[i][t * R + e] ...
// so that what neighbouring threads, or a thread's neighbouring points, read lies side by side.
//
// `order` names the old dimension for each new one. Legal for shared memory and registers: all accesses change with the
// buffer. Not so where several elements along the last dimension are moved at once already, or rows are padded.
Result<Rewritten> reorder(const Kernel& kernel, const Name& buffer, const std::vector<size_t>& order);

}  // namespace heddle::nest
