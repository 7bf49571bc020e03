// Has a kernel store a result over an array that nobody else needs, as each thread reads no other element of it than the one that it stores, and
// reads it before. That is an argument that the function may overwrite, whose memory stays as long as its owner wants, or an array that ends there
// and that nobody else has read, so that the kernel waits for none that it might have run beside; or none but those that made something that it
// needs, as the sum of an array that is then divided by it.
// Nor does it where steps of a loop hand the result on: whoever made the array would have to wait for what reads the step before.
//
//   kernel f(n_1: i64, a_2: global f32[n_1][1], b_3: global f32[n_1], c_4: global f32[n_1]) { ... c_4[i_5] := a_2[i_5][0] + b_3[0]; ... }
//   launch f (n_6) (a_7, b_8, c_9);
// becomes, where nobody asks for `a` behind that
//   kernel f(n_1: i64, a_2: global f32[n_1][1], b_3: global f32[n_1]) { ... a_2[i_5][0] := a_2[i_5][0] + b_3[0]; ... }
//   reshape c_9 = a_7 (n_6);
//   launch f (n_6) (c_9, b_8);
//
// in place of the statement that makes memory for `c`. Single elements stay where they are: they may lie where the host reads them (for_host.h).
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program store_over_input(Program program);

}  // namespace heddle::host
