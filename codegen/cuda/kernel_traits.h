// What a kernel wants, for those who decide where and when it runs.
#pragma once

#include "codegen/c_expr.h"
#include "ir/nest/nest.h"

namespace heddle::codegen {

// Bytes of shared memory that a launch needs, over the kernel's scalar parameters.
nest::Expr shared_bytes(const nest::Kernel& kernel);

// Whether the threads of a block must run at the same time.
bool has_barriers(const nest::Kernel& kernel);
// Whether threads update memory atomically.
bool updates_some(const nest::Kernel& kernel);
// Whether threads do little else than to update memory atomically.
bool mostly_updates(const nest::Kernel& kernel);
// Whether blocks wait for what those before them say.
bool waits_for_blocks(const nest::Kernel& kernel);
// Whether the loop ends when another block has said something.
bool listens(const nest::While& loop, const BufferTable& buffers);

}  // namespace heddle::codegen
