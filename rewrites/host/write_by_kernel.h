// The kernel of one thread that stores an element in place of the host, and its launch.
//
//   write a_1[i_2] := x_3;
// becomes
//   measure size_4 = size 0 of a_1;
//   measure stride_5 = stride 0 of a_1;
//   launch f (size_4, stride_5, i_2, x_3) (a_1);
// with
//   kernel f(size_6: i64, stride_7: i64, at_8: i64, value_9: f32, a_10: global f32[size_6]) { ... a_10[at_8] := value_9; }
#pragma once

#include "rewrites/host/one_thread.h"

namespace heddle::host {

OneThread::Made write_by_kernel(const WriteElement& write, int kernel_number, NameSource& names);

}  // namespace heddle::host
