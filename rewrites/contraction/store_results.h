// The end of a tiled kernel: threads store the sums that they have in registers, the epilogue applied to them.
#pragma once

#include "rewrites/contraction/tile_context.h"

namespace heddle::contraction {

// `acc` holds the sums of a thread's points. They go through shared memory, where slices of the reduction are added up,
// or directly, as the schedule says.
void store_results(const TileContext& x, const ThreadPlace& thread, const nest::Buffer& acc);

}  // namespace heddle::contraction
