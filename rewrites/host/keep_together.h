// Has an array be another one of which it would get all parts, each to where it was.
//
//   slice re_2 = both_1[0][0 : n_3 : 1];       =>   slice re_2 = both_1[0][0 : n_3 : 1];
//   slice im_4 = both_1[1][0 : n_3 : 1];            slice im_4 = both_1[1][0 : n_3 : 1];
//   alloc pair_5: f32[2][n_3];                      share pair_5 = both_1;
//   slice first_6 = pair_5[0][0 : n_3 : 1];
//   copy first_6 := re_2;
//   slice second_7 = pair_5[1][0 : n_3 : 1];
//   copy second_7 := im_4;
//
// where nobody looks at the other one's memory behind that. So it is where several sums of a point became one array (seg/join_sums.h), and the
// program makes a pair of them.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program keep_together(Program program);

}  // namespace heddle::host
