// Which functions of host statements are not worth optimising.
#pragma once

#include "ir/host/host.h"

namespace heddle::codegen::host {

// Whether every loop among the statements, and inside them, launches a kernel in each iteration. Beside a launch,
// what the statements around it take is little however they are compiled.
bool every_loop_launches(const heddle::host::Block& block);

}  // namespace heddle::codegen::host
