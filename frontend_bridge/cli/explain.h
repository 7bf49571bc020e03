// What became of each seg op of a program, and why.
#pragma once

#include <string>

#include "rewrites/lower/lowered.h"

namespace heddle::cli {

std::string explain_text(const lower::LoweredProgram& program);
// An array with one object per seg op: entry, op, match, why, recipe, kernels.
std::string explain_json(const lower::LoweredProgram& program);

}  // namespace heddle::cli
