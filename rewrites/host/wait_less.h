// Has threads that work each for itself wait less for memory: what they need of their last steps they keep in registers
// (nest/keep_last_steps.h), what they are going to store anyway they fill with nothing before (nest/drop_fills.h), and what they need for their next
// steps they read at a time (nest/read_ahead.h).
//
//   for i in n (serial) { ys[i + 1] := ys[i] + xs[i]; }
// becomes
//   alloc last: register f32;  last[] := 0 < n ? ys[0] : 0;
//   for b in n / 16 (serial) {
//     alloc ahead: register f32[16];
//     for u in 16 (unrolled) { ahead[u] := xs[16 * b + u]; }
//     for v in 16 (unrolled) { let y = last[] + ahead[v];  ys[16 * b + v + 1] := y;  last[] := y; }
//   }
//   and the rest step by step
//
// Kernels whose blocks work together share memory that is near, and those of tilings are written so; what only runs until there is such a
// kernel for the sizes at hand is compiled sooner as it is, unless a loop goes through many sizes, for most of which there never is one.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program wait_less(Program program);

}  // namespace heddle::host
