// Whether what arrays hold decides which elements a point of a stage reads: such a point may read what does not exist where they hold anything else
// than in the program, as in a step behind a loop's last one, or where a kernel computes what nobody needs.
//
//   if 0 < v { .. t[i + 1] .. }      v = a[i]: does, unless i + 1 is known to be a place in t
#pragma once

#include "rewrites/points/host_scope.h"
#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// `scalars`: of the kernel, which may be others, too. Elements that exist in any case do not count.
bool reads_by_values(const StageCode& stage, nest::NameSet scalars, const HostScope& host, NameSource& names);

}  // namespace heddle::lower
