// Computes in a guard what only it needs. Futhark computes before a loop what all of its steps would, and guards what is read of that, not the
// operation itself; of a loop that runs no step it may read where there is nothing.
//
//   let {sums : [1]i32} = segred(... a[m + i] ...)         let {sum : i32} = if <fallback> runs then {
//   let {sum : i32} = if <fallback> runs then {              let {sums : [1]i32} = segred(... a[m + i] ...)
//     let {x : i32} = sums[0]                          =>    let {x : i32} = sums[0]
//     in {x}                                                 in {x}
//   } else {0i32}                                          } else {0i32}
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> operations_in_guards(const Program& program);

}  // namespace heddle::seg
