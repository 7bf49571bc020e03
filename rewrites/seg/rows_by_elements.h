// Has a thread for each element of arrays that points put together of rows, instead of one thread copy them all:
//
//   let {zs : [n][2][m]i8} = segmap(thread)(i < n) : {[2][m]i8} {        let {zs : [n][2][m]i8} = segmap(thread)(i < n, k < 2, j < m) : {i8} {
//     let {x} = xs[i, 0 :+ m]                                               let {first} = eq_i64(k, 0)
//     let {y} = ys[i, 0 :+ m]                                       =>      let {z} = if first then { xs[i, j] } else { ys[i, j] }
//     let {z} = [x, y]                                                      return {z} }
//     return {z} }
//
// where the points do nothing else, and put at most four rows together, which they know where to read without reading anything before.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> rows_by_elements(const Program& program);

}  // namespace heddle::seg
