// A planned program as whoever launches its kernels needs it.
#pragma once

#include <string>

#include "rewrites/plan/planned_program.h"

namespace heddle {

// As capi/heddle.h describes it at heddle_plan_json.
std::string plan_json(const lower::PlannedProgram& program);

}  // namespace heddle
