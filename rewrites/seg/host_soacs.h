// Moves SOACs that kernel extraction left in host code (because the program asked for sequential code, or because there
// is no parallelism in them) to the device, where arrays can be worked on.
//
//   let {s : i64} = redomap(n, {xs}, f, {op, {0i64}})
// becomes
//   let {s_dev : [1i64]i64} = gpu : {i64} { let {s : i64} = redomap(n, {xs}, f, {op, {0i64}}) in {s} }
//   let {s : i64} = s_dev[0i64]
// One that updates accumulators becomes a segmap with a single point.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> host_soacs(const Program& program);

}  // namespace heddle::seg
