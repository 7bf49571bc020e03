// Says of launches that the next one needs nothing of them, nor they of it, so that a device runs both at the same time: the last blocks of
// one leave most of a device idle, and the blocks of small kernels always do.
//
//   launch 0 (n_1) (a_2, b_3);        =>   launch 0 (n_1) (a_2, b_3) beside next;
//   launch 1 (n_1) (a_2, c_4);             launch 1 (n_1) (a_2, c_4);
//
// Of three in a row the third must need nothing of both others, since either may still run. Kernels that may fail take no part, since the
// host is told of the failure that came first; nor do those whose threads have little to do: they take about as long as
// it takes to end in the right order, 2 us.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program side_by_side(Program program);

}  // namespace heddle::host
