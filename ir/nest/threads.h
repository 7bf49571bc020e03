// How the indices of Grid loops follow from the number of a block, and those of Block, Warp and Lane loops from the
// number of a thread within its block: in row-major order, the innermost loop counting fastest.
//
// A nest of such loops may have fewer iterations than there are blocks or threads, if the kernel has another nest that
// needs more; the surplus does nothing there.
#pragma once

#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

enum class Parallel { Blocks, Threads };

// Nothing for loops that run within a thread.
std::optional<Parallel> parallel(Role role);

// The outermost loops of a sort in a block of statements.
std::vector<const For*> outermost_loops(const Block& block, Parallel sort);

// The extents of a loop and of the loops of the same sort inside it, outermost first. Where there are several inside,
// next to each other, the verifier sees to it that they agree.
std::vector<Expr> nest_extents(const For& loop);

// The number of iterations of a nest of loops with these extents: 0 or less if one of them is.
Expr num_iterations(const std::vector<Expr>& extents);

// What a kernel must be launched with, over its scalar parameters. Nothing must be launched where it is 0 or less.
Expr num_blocks(const Kernel& kernel);
Expr block_size(const Kernel& kernel);

// Whether some nest of this sort may have fewer iterations than are launched.
bool has_surplus(const Kernel& kernel, Parallel sort);

}  // namespace heddle::nest
