// Leaves out statements that only bind names which nobody uses: a threshold's comparison, say, between versions of which one was
// chosen, or an array that kernels compute themselves instead of reading it. So are writes to memory that nobody reads.
//
//   compare c_1 = `main.t` <= n_2;         =>
//   alloc a_3: i64[n_2];
//   iota a_3 := 0, 1;
//   alloc b_4: f32[n_2];                       alloc b_4: f32[n_2];
//   launch 0 (n_2) (b_4);                      launch 0 (n_2) (b_4);
//   free a_3;                                  free b_4;
//   free b_4;
//
// Tuning parameters that are then asked for nowhere leave the program's table, and so do constants that no function uses.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program remove_dead(Program program);

}  // namespace heddle::host
