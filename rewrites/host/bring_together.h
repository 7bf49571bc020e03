// Moves launches down to others that they may run beside.
//
//   launch 0 (n_1) (a_2, b_3);            =>   launch 1 (n_1) (a_2, c_4);
//   launch 1 (n_1) (a_2, c_4);                 launch 0 (n_1) (a_2, b_3);
//   launch 0 (n_1) (c_4, d_5);                 launch 0 (n_1) (c_4, d_5);
//
// So do the filters of a pyramid's levels, which the last of them would find done, and which nobody needs before (stencil/multiresolution.h).
// A launch goes to the next that has at least as much to do and needs nothing of it, over those that need nothing of it, either. No more memory
// is in use for it: of each array that it keeps alive longer, it makes one as large, which begins later.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program bring_together(Program program);

}  // namespace heddle::host
