// Checks what every nest must satisfy: names in scope and bound once, types, ranks of accesses, spaces of buffers, the
// order of roles, what launches and memory sizes may depend on, and barriers that all threads reach.
#pragma once

#include <string>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

// One sentence per mistake; empty if the kernel is well-formed.
std::vector<std::string> verify(const Kernel& kernel);

}  // namespace heddle::nest
