// Has a kernel that reads an array's elements, each to compute what is then copied there, store them there itself.
//
//   kernel f(n_1: i64, i_2: i64, a_3: global f32[n_1][n_1], b_4: global f32[n_1]) {
//     ... b_4[g_5] := a_3[i_2][g_5] + 1.0f32; ...
//   }
//   alloc b_6: f32[n_7];
//   launch f (n_7, i_8) (a_9, b_6);
//   slice w_10 = a_9[i_8][0 : n_7 : 1];
//   copy w_10 := b_6;
// becomes
//   kernel f(n_1: i64, i_2: i64, a_3: global f32[n_1][n_1]) { ... a_3[i_2][g_5] := a_3[i_2][g_5] + 1.0f32; ... }
//   launch f (n_7, i_8) (a_9);
//
// as each thread reads the element that it stores, before it does, and no other of the window. What lies outside of the window all may read, as
// eliminations do: a_3[i_2 + 1 + g_5][h_8] - f_9[g_5] * a_3[i_2][h_8], whose window begins at row i_8 + 1. Derivatives of loops are full of it.
//
// What others read besides the kernel stores as before, too: so columns of a matrix are scaled in it, by which the rest of it is then eliminated. What is copied
// meanwhile to other windows of the same array does no harm.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program update_in_kernel(Program program);

}  // namespace heddle::host
