// How the tiled kernel of each contraction follows from its direct nest, step by step.
#pragma once

#include <string>

#include "ir/support/error.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::cli {

// Evaluates the nest after each step beside the direct one on small sizes. A difference is an internal error.
Result<std::string> steps_text(const lower::PlannedProgram& program);
// An array with one object per step: kernel, step, name, parameters, why_legal, nest, reached, checked_on; and one per
// kernel without steps or whose derivation ends early: kernel, why_not.
Result<std::string> steps_json(const lower::PlannedProgram& program);

}  // namespace heddle::cli
