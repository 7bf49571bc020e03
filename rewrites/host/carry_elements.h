// Lets a loop hand elements on in memory where the host would read them to hand on what it computes from them. One thread computes
// that instead.
//
//   loop (x_1: i32 = 1i32, ...) for i_2 < n_3 {       =>    alloc a_8: i32[1];
//     launch 0 (n_3, x_1) (b_4);                            write a_8[0] := 1i32;
//     read y_5: i32 = b_4[i_2];                             loop (c_9: i32[] = a_8, ...) for i_2 < n_3 {
//     let z_6: i32 = y_5 % 5i32;                              read x_1: i32 = c_9[0];
//     yield z_6, ...;                                         launch 0 (n_3, x_1) (b_4);
//   } giving (r_7, ...);                                      alloc d_10: i32[1];
//                                                             launch 1 (i_2, n_3) (b_4, d_10);     -- d_10[0] := b_4[i_2] % 5i32
//                                                             free c_9;
//                                                             yield d_10, ...;
//                                                           } giving (e_11, ...);
//                                                           read r_7: i32 = e_11[0];
//                                                           free e_11;
//
// It pays where kernels can read x_1 themselves, so that no iteration waits: read_late.h decides.
#pragma once

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

struct Carried {
  std::vector<Stmt> before;
  Loop loop;
  std::vector<Stmt> behind;
  nest::Kernel kernel;           // which the loop launches by the number it was given
  std::vector<Name> parameters;  // arrays of one element that nothing else shares memory with
  std::vector<Name> results;     // so are these
};
// Nothing where no parameter is computed from elements that the host reads. `alone` are arrays each of which has memory of its own and no
// other name.
std::optional<Carried> carry_elements(const Loop& loop, const nest::NameSet& alone, int kernel_number,
                                      NameSource& names);

}  // namespace heddle::host
