// Has the thread that stores an element compute what a kernel of one thread would compute from it behind.
//
//   alloc b_2: i32[n_1];                              alloc b_2: i32[n_1];
//   launch 0 (n_1) (b_2);                             alloc d_4: i32[1];
//   alloc d_4: i32[1];                          =>    launch 2 (n_1, i_3) (b_2, d_4);
//   launch 1 (i_3) (b_2, d_4);
//
//   -- 0                          -- 1                                   -- 2
//   b_5[at_6] := value_7;         let x_8: i32 = b_9[i_10];              b_5[at_6] := value_7;
//                                 d_11[0] := x_8 % 5i32;                 if at_6 == i_10 {
//                                                                          d_11[0] := value_7 % 5i32;
//                                                                        }
//
// That some thread stores it is certain, as all elements of a new array are what the only kernel so far left there. Checks of the second
// kernel end the thread, which must then do nothing behind but store, and keep blocks from beginning, for which none may wait.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program compute_where_made(Program program);

}  // namespace heddle::host
