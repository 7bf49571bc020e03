// Checks what every host program must satisfy: names in scope and bound once, types, arguments of kernels and failures, and
// that each array's name ends exactly once on every way, and is not mentioned behind that. Kernels are nest::verify's.
#pragma once

#include <string>
#include <vector>

#include "ir/host/host.h"

namespace heddle::host {

// One sentence per mistake; empty if the program is well-formed.
std::vector<std::string> verify(const Program& program);

}  // namespace heddle::host
