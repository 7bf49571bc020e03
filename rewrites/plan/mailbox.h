// The array of the program's through which blocks of a kernel tell each other things.
#pragma once

#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Makes every Mailbox of a launch the same constant of the program, as large as the largest of them, which is zero at first.
// Kernels run one after the other, and each leaves it as it was.
//
//   constants: let {mailbox_9 : [2112]i64} = replicate([2112], 0i64)
void provide_mailbox(PlannedProgram& planned, NameSource& names);

}  // namespace heddle::lower
