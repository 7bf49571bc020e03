// What of a program `heddle tune` could choose.
#pragma once

#include "ir/host/host.h"

namespace heddle::cli {

// Whether what is made of the program has thresholds between versions, or contractions to tile.
bool has_something_to_tune(const host::Program& program);

}  // namespace heddle::cli
