// Prefixes the keys of tuning parameters with the function they stand in, which is how users know them.
//
//   entry("main", ...) entry_main ... cmp_size(suff_outer_par_0, threshold(def, !suff_outer_par_1)) <= n
// becomes
//   ... cmp_size(main.suff_outer_par_0, threshold(def, !main.suff_outer_par_1)) <= n
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> qualify_keys(const Program& program);

}  // namespace heddle::seg
