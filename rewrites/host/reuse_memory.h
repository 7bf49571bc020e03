// Gives the memory of an array that ends to the next one of the same type, sizes and layout.
//
//   launch 0 (n_1) (a_2, b_3);        =>   launch 0 (n_1) (a_2, b_3);
//   free a_2;                              alloc c_4: f32[n_1] from a_2;
//   alloc c_4: f32[n_1];
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program reuse_memory(Program program);

}  // namespace heddle::host
