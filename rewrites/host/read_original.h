// Has kernels and the host read an array where it is, instead of a copy that nobody changes.
//
//   reshape a_3 = given_1 (n_2, m_2);          =>   reshape a_3 = given_1 (n_2, m_2);
//   manifest b_4 = a_3 (0, 1);                      share b_4 = a_3;
//   free a_3;                                       free a_3;
//   launch reads_first (n_2, m_2) (b_4, c_5);       launch reads_first (n_2, m_2) (b_4, c_5);
//
// where the memory of `a` stays as it is until then. The host's compiler copies what points are to update, each its own row; but these
// update rows of their own.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program read_original(Program program);

}  // namespace heddle::host
