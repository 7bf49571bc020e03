// Says of launches that the next one needs nothing of them, nor they of it, so that a device runs both at the same time: the last blocks of
// one leave most of a device idle, and the blocks of small kernels always do.
//
//   launch 0 (n_1) (a_2, b_3);        =>   launch 0 (n_1) (a_2, b_3) beside next;
//   launch 1 (n_1) (a_2, c_4);             launch 1 (n_1) (a_2, c_4);
//
// Of three in a row the third must need nothing of both others, since either may still run. Which take part: beside.h. What ends between
// launches of such a run ends behind it, or the next would get its memory and have to wait.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program side_by_side(Program program);

}  // namespace heddle::host
