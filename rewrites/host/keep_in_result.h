// Has a thread keep an array in the row of the kernel's result that it is copied to in the end, instead of in memory for its own arrays.
//
//   kernel f(n_1: i64, m_2: i64, own_3: global f32[m_2][n_1], to_4: global f32[n_1][m_2] strides (1, n_1)) {
//     ... own_3[i_5][thread_6] := own_3[i_5][thread_6] + 1.0f32; ...
//     for j_7 in m_2 (serial) {
//       to_4[g_8][j_7] := own_3[j_7][thread_6];
//     }
//   }
// becomes
//   kernel f(n_1: i64, m_2: i64, to_4: global f32[n_1][m_2] strides (1, n_1)) {
//     ... to_4[g_8][i_5] := to_4[g_8][i_5] + 1.0f32; ...
//   }
//
// where neighbouring threads' elements are neighbours in the result, too.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program keep_in_result(Program program);

}  // namespace heddle::host
