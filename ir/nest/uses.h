// How often code mentions a name, and what it writes to.
#pragma once

#include "ir/nest/traverse.h"

namespace heddle::nest {

// Where it is used: as a value, or as the buffer of a load, a store or another access. Where it is bound does not count.
int uses_of(const Name& name, const Block& block);

// The buffers that threads store to, update or lock.
NameSet written_buffers(const Block& block);

}  // namespace heddle::nest
