// The array of the program's through which blocks of a kernel tell each other things.
#pragma once

#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Makes every Mailbox of a launch one of a few constants of the program, which are zero at first, each as large as the largest of those that it
// stands for. Kernels leave them as they found them. There are a few, so that kernels that need nothing else of each other may run at the same
// time (host/side_by_side.h).
//
//   constants: let {mailbox_9 : [2112]i64} = replicate([2112], 0i64)
void provide_mailbox(PlannedProgram& planned, NameSource& names);

}  // namespace heddle::lower
