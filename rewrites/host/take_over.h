// An array that is shared and ends there needs no second name: whoever shares it takes it over. So does who is delivered one that was
// made as it is to be, or copies one into the order in which it lies.
//
//   share b_2 = a_1;        =>   write a_1[i_3] := 0;
//   free a_1;                    yield a_1;
//   write b_2[i_3] := 0;
//   yield b_2;
//
// Nor do branches of which each would share it:
//   if x_4 < 0 {                                    =>   if x_4 < 0 {
//     share b_2 = a_1;                                     write a_1[i_3] := 0;
//     write b_2[i_3] := 0;                               } else {
//     yield b_2;                                         }
//   } else {                                             yield a_1;
//     share c_5 = a_1;
//     yield c_5;
//   } giving (d_6: f32[]);
//   free a_1;
//   yield d_6;
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program take_over(Program program);

}  // namespace heddle::host
