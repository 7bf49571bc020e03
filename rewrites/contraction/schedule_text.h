// Schedules as text: one line per decision, as "operand.1.load_width = LOAD_WIDTH_b_17" or "reads = registers".
#pragma once

#include <string>
#include <string_view>

#include "ir/support/error.h"
#include "rewrites/contraction/schedule.h"

namespace heddle::contraction {

std::string to_text(const Schedule& schedule);

// The exact inverse. `constants`: the kernel's, for which names in the text stand. An input error where a line is no
// decision of a schedule, or one is missing.
Result<Schedule> read_schedule(std::string_view text, const std::vector<Name>& constants);

}  // namespace heddle::contraction
