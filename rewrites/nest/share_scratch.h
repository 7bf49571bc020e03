// Shared buffers of a kernel of which one is no longer used when the other begins to be, with a barrier between, become one.
//
//   alloc a: shared [70]  alloc b: shared [68]  alloc c: shared [66]          alloc a: shared [70]  alloc b: shared [68]
//   a[t] := ..  barrier  b[t] := a[t+1]  barrier  c[t] := b[t+1]      =>      a[t] := ..  barrier  b[t] := a[t+1]  barrier
//   barrier  .. := c[t+1]                                                     a[t] := b[t+1]  barrier  .. := a[t+1]
//
// The later one must have as many dimensions, none of them longer, and the same elements. Where the barriers stand in the two sides
// of a branch, of which a block takes one, that must be so in both.
//
// A warp's barriers suffice for buffers of which each warp has a part of its own: all uses begin with the warp's number, a_20[warp][...].
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Kernel share_scratch(Kernel kernel);

// Likewise in what the threads of a block do together, wherever buffers are allocated in it. Where that repeats, each repetition must begin
// or end with a barrier, as BodyLowerer writes them: a buffer is used anew there whose memory another one had at the end of the last. So
// barriers may be dropped only behind this.
Block share_arrays(Block work);

}  // namespace heddle::nest
