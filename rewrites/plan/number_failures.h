// Numbers the places where kernels may fail through a whole program.
#pragma once

#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Each launch numbers its own from 0 on; afterwards these are the numbers in PlannedProgram::failures, in the order of the
// program's text, and the launches have none of their own any more.
void number_failures(PlannedProgram& planned);

}  // namespace heddle::lower
