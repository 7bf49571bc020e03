// Has a kernel store a function's result over an argument that the function may overwrite, as each thread reads no other element of it than
// the one that it stores, and reads it before. The argument's memory stays as long as its owner wants, so nothing else would have use for it.
//
//   kernel f(n_1: i64, a_2: global f32[n_1], b_3: global f32[n_1], c_4: global f32[n_1]) { ... c_4[i_5] := a_2[i_5] + b_3[i_5]; ... }
//   entry main (*a: f32[], b: f32[]) : (f32[])
//   takes (a_6: f32[], b_7: f32[]) {
//     measure n_8 = size 0 of a_6;
//     alloc c_9: f32[n_8];
//     launch f (n_8) (a_6, b_7, c_9);
//     yield c_9;
//   }
// becomes
//   kernel f(n_1: i64, a_2: global f32[n_1], b_3: global f32[n_1]) { ... a_2[i_5] := a_2[i_5] + b_3[i_5]; ... }
//     share c_9 = a_6;
//     launch f (n_8) (c_9, b_7);
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program store_over_input(Program program);

}  // namespace heddle::host
