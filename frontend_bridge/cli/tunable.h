// What of a program `heddle tune` could choose.
#pragma once

#include "codegen/host/generate.h"
#include "rewrites/lower/lowered.h"

namespace heddle::cli {

// Whether what is made of the program has thresholds between versions, or contractions to tile.
Result<bool> has_something_to_tune(const lower::LoweredProgram& program, codegen::host::Target target);

}  // namespace heddle::cli
