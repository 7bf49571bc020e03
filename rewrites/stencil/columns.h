// Groups that need no tiles: what a point reads of the group's other stages lies in its own column, so that a thread that goes down a
// column has all of it, but for what lies beyond the rows that the thread computes.
//
//   blurx(y, x) = img(y, x-1) + img(y, x) + img(y, x+1)
//   blury(y, x) = blurx(y-1, x) + blurx(y, x) + blurx(y+1, x)       each row of blurx in a thread's column once, and one more at each end
#pragma once

#include "rewrites/stencil/group.h"

namespace heddle::stencil {

// How many rows more a thread computes of the first stages than of the last one; nothing where stages read others elsewhere than in
// their own column, where somebody outside reads others than the last, or where all are read at the reader's point alone.
std::optional<int64_t> rows_around_columns(const Pipeline& p, const Group& g);

}  // namespace heddle::stencil
