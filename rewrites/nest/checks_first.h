// Has a thread check before it computes what the check does not ask for, so that it waits once for all that it reads behind.
//
//   let x_1 = a_2[i_3]                     let x_1 = a_2[i_3]
//   if n_4 <= x_1 { fail 0 }               let z_6 = x_1 + 1
//   let y_5 = b_7[x_1]                     if n_4 <= x_1 { fail 0 }
//   let z_6 = x_1 + 1                 =>   if n_4 <= z_6 { fail 1 }
//   if n_4 <= z_6 { fail 1 }               let y_5 = b_7[x_1]
//   c_8[i_3] := y_5 + b_7[z_6]             c_8[i_3] := y_5 + b_7[z_6]
//
// The device's compiler loads nothing ahead of a branch that may end the thread. Checks stay in their order, and behind whatever else
// statements do but to give names to values.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Block checks_first(const Block& block);

}  // namespace heddle::nest
