// Buffers by their names.
#pragma once

#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

// Who asks for a buffer has seen its name in what uses it. Throws Refused, as an internal error, where there is none after all.
const Buffer& buffer_named(const std::vector<Buffer>& buffers, const Name& name);

}  // namespace heddle::nest
