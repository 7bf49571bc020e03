// What all threads of a kernel would compute of its parameters alone, the host computes once and hands in.
//
//   kernel k(n_1: i64) { ... if origin_2 < min(n_1 - 5, (n_1 - 8) * 2) { ... } }   launched with n
//   kernel k(n_1: i64, known_3: i64) { ... if origin_2 < known_3 { ... } }         launched with n and min(n - 5, (n - 8) * 2)
#pragma once

#include "ir/support/names.h"
#include "rewrites/points/launch.h"

namespace heddle::lower {

Launch with_known_on_host(Launch launch, NameSource& names);

}  // namespace heddle::lower
