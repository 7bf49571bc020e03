// What is only copied once more is not copied before.
//
//   copy b_2 := a_1;                      =>   copy b_2 := a_1;                   where nobody reads it
//   rearrange c_3 = b_2 (1, 0);                rearrange c_3 = a_1 (1, 0);
//   manifest d_4 = c_3 (0, 1);                 manifest d_4 = c_3 (0, 1);
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program copy_once(Program program);

}  // namespace heddle::host
