// Kernels as they are before the last steps of their derivation.
#pragma once

#include <optional>
#include <string_view>

#include "ir/support/error.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Exchanges the kernel of each way for the one after an earlier step of its derivation (contraction/schedule_steps.h),
// for measuring what the steps after it bring. An input error if there is no such step.
std::optional<Error> stop_derivations(PlannedProgram& program, std::string_view step);

}  // namespace heddle::lower
