// Writes out the loops in which a thread goes through a small array of its own, so that the array stays in registers.
//
//   alloc a_1: register f32[32]                                   alloc a_1: register f32[32]
//   for i_2 in 32 (serial) {                                      for i_2 in 32 (unrolled) {
//     for k_3 in i_2 (serial) { s_4[] := s_4[] + a_1[k_3] }  =>     for k_3 in i_2 (unrolled) { s_4[] := s_4[] + a_1[k_3] }
//     a_1[i_2] := s_4[]                                             a_1[i_2] := s_4[]
//   }                                                             }
//
// The device's compiler does so by itself where loops are short and their lengths do not depend on each other; else it leaves the array
// in memory, or a branch in each round, before which it reads nothing ahead. An array of which one index is not known stays as it was, and
// so do those for which too much would be written out.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Block keep_in_registers(Block block);

}  // namespace heddle::nest
