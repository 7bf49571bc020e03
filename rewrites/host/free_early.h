// Frees arrays behind the last statement that mentions them.
//
//   slice b_2 = a_1[0 : n_3 : 2];         =>   slice b_2 = a_1[0 : n_3 : 2];
//   launch 0 (n_3) (b_2, c_4);                 free a_1;
//   launch 1 (n_3) (c_4);                      launch 0 (n_3) (b_2, c_4);
//   free a_1;                                  free b_2;
//   free b_2;                                  launch 1 (n_3) (c_4);
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program free_early(Program program);

}  // namespace heddle::host
