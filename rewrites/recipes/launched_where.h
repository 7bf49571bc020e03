// One of several kernels that take each other's place: it has no blocks where another one runs.
#pragma once

#include "rewrites/points/launch.h"

namespace heddle::lower {

//   for block in n (grid) ...    becomes    for block in (holds ? n : 0) (grid) ...
//
// `holds` is over the kernel's parameters.
Launch launched_where(const nest::Expr& holds, Launch launch);

}  // namespace heddle::lower
