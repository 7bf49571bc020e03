// Runs the iterations of a loop at once.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for i in n (serial) { S(i) }   becomes   for i in n (grid) { S(i) }   or a loop over the threads of a block.
//
// Legal if iterations do not depend on each other, if nothing stands beside the loop or around it but loops that run in
// parallel already, and if the extent is known at launch.
Result<Rewritten> parallelize(const Kernel& kernel, const Name& loop, Role role, NameSource& names);

}  // namespace heddle::nest
