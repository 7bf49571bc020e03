// Has points update their rows of an array where they are, instead of returning copies of the rows that have been updated.
//
//   loop {t : *[n][m]f32} = .. for i < m do {                          loop {t : *[n][m]f32} = .. for i < m do {
//     let {t' : [n][m]f32} = segmap(thread)(j < n) : {[m]f32} {          let {t' : [n][m]f32} = segmap(thread)(j < n) : {[n][m]f32} {
//       let {row} = t[j, 0 :+ m]                                  =>       let {x} = ..
//       let {row'} = copy(row)                                             return {t with [j, i] = x}
//       let {x} = ..                                                     }
//       let {row''} = row' with [i] = x                                in {t'}
//       return {row''}                                                 }
//     }
//     in {t'}
//   }
//
// The host's compiler copies where a version of an operation has a thread, or a block of threads, do a point's row, and updates in place
// where all elements are points.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> update_in_place(const Program& program);

}  // namespace heddle::seg
