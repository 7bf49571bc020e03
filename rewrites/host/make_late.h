// Makes arrays, and fills them, in front of the first statement that mentions them.
//
//   alloc zeroes_1: f32[n_2];             =>   launch 0 (n_2) (a_3, b_4);
//   fill zeroes_1 := 0.0f32;                   free a_3;
//   launch 0 (n_2) (a_3, b_4);                 alloc zeroes_1: f32[n_2];
//   free a_3;                                  fill zeroes_1 := 0.0f32;
//   launch 1 (n_2) (b_4, zeroes_1);            launch 1 (n_2) (b_4, zeroes_1);
//
// The host's compiler has what derivatives add to begin before all that computes it.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program make_late(Program program);

}  // namespace heddle::host
