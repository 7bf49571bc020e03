// What became of each seg op of a program, and why.
#pragma once

#include <string>

#include "rewrites/plan/planned_program.h"

namespace heddle {

std::string explain_text(const lower::PlannedProgram& program);
// An array with one object per seg op: entry, op, match, why, recipe, kernels.
std::string explain_json(const lower::PlannedProgram& program);

}  // namespace heddle
