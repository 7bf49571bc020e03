// Has the host read single elements, such as reductions leave, as late as it can, for one wait, and kernels that come before read them
// themselves.
//
//   launch 0 (n_1) (a_2);                     launch 0 (n_1) (a_2);
//   read x_3: f32 = a_2[0];                   launch 3 (n_1) (b_5, a_2);     -- which computes y_4
//   let y_4: f32 = x_3 - 1;                   read x_3: f32 = a_2[0];
//   launch 1 (n_1, y_4) (b_5);           =>   read z_6: f32 = b_5[0];
//   read z_6: f32 = b_5[0];                   let y_4: f32 = x_3 - 1;
//   free a_2;                                 free a_2;
//   free b_5;                                 free b_5;
//   yield y_4, z_6;                           yield y_4, z_6;
//
// Before whatever else needs one of them, or may overwrite its array, all are read. What the host then needs nowhere it does not read.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program read_late(Program program);

}  // namespace heddle::host
