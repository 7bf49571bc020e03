// The parameters of a kernel that is made of other kernels' code.
#pragma once

#include "ir/nest/traverse.h"
#include "rewrites/points/launch.h"

namespace heddle::lower {

// Gives `to` those parameters of the launches `from`, with what the host hands in for them, that are among the names `used`, or that
// the sizes and strides of such buffers need. What several have comes once, as the first has it.
void take_parameters(Launch& to, nest::NameSet used, const std::vector<const Launch*>& from);

}  // namespace heddle::lower
