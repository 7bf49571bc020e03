// The second version of a contraction: tiled, and compiled for the sizes at hand.
#pragma once

#include <optional>
#include <string_view>

#include "ir/support/error.h"
#include "rewrites/lower/way.h"

namespace heddle::lower {

// The tiled kernel (contraction/tiled.h) of a way, in which window extents are constants, and its launches. Refuses
// what no tiling suits.
Specialized specialize(const Way& way, NameSource& names);

// The parameters of a way's kernel as they are before any are fixed; its body is of no use then.
nest::Kernel unfixed_kernel(const Specialized& way);

// Exchanges the kernel of each way for the one after an earlier step of its derivation (contraction/schedule_steps.h),
// for measuring what the steps after it bring. An input error if there is no such step.
std::optional<Error> stop_derivations(PlannedProgram& program, std::string_view step);

}  // namespace heddle::lower
