// Makes an array in the window of a larger one that it is copied to, as the parts of what is concatenated are.
//
//   alloc a_1: f32[n_2];                       =>   alloc c_3: f32[n_2 + m_4];
//   launch 0 (n_2) (a_1);                           slice a_1 = c_3[m_4 : n_2 : 1];
//   alloc c_3: f32[n_2 + m_4];                      launch 0 (n_2) (a_1);
//   slice window_5 = c_3[m_4 : n_2 : 1];
//   copy window_5 := a_1;
// Single elements, and rows, also where the larger one is what a loop hands on.
// Where the larger one is filled first, or goes by other names since, as arrays do that are updated, likewise.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program make_in_window(Program program);

}  // namespace heddle::host
