// Lets a loop whose array is made anew in each iteration alternate between two blocks of memory.
//
//   loop (a_1: f32[] = x_2) for i_3 < n_4 {         =>   alloc spare_7: f32[0];
//     alloc b_5: f32[m_6];                               loop (a_1: f32[] = x_2, spare_8: f32[] = spare_7) for i_3 < n_4 {
//     launch 0 (m_6) (a_1, b_5);                           alloc b_5: f32[m_6] from spare_8;
//     free a_1;                                            launch 0 (m_6) (a_1, b_5);
//     yield b_5;                                           yield b_5, a_1;
//   } giving (r_9);                                      } giving (r_9, spare_10);
//                                                        free spare_10;
//
// The second block is made in the first iteration, and in the second one, too, if somebody else holds x_2. Where the size
// changes with the iterations nothing is gained, so such loops stay.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program alternate_buffers(Program program);

}  // namespace heddle::host
