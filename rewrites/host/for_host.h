// Puts single elements that kernels only leave for the host to read where the host reads them without a copy.
//
//   alloc a_2: f32[1];            =>   alloc a_2: f32[1] for host;
//   launch 0 (n_1) (a_2);              launch 0 (n_1) (a_2);          -- which only stores to a_2
//   read x_3: f32 = a_2[0];            read x_3: f32 = a_2[0];
//   free a_2;                          free a_2;
//
// Not where a kernel reads the element, or updates it atomically: kernels reach that memory slowly.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program for_host(Program program);

}  // namespace heddle::host
