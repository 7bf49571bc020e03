// Computes arrays in the branch that alone reads them, so that nothing is computed where another is taken.
//
//   let {pieces : [n]f64} = concat@0(n, a, b)        let {r : [m]f64} = if <equiv> c then {
//   let {r : [m]f64} = if <equiv> c then {             let {pieces : [n]f64} = concat@0(n, a, b)
//     let {s : [m]f64} = segmap(..) .. pieces ..  =>   let {s : [m]f64} = segmap(..) .. pieces ..
//     in {s}                                           in {s}
//   } else {..}                                      } else {..}
//
// where nothing is overwritten between the two, and no point can fail. The host's compiler has versions compute elements of arrays by
// themselves, and leaves the arrays in front of all versions for the one that does not.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> compute_in_branch(const Program& program);

}  // namespace heddle::seg
