// Has host code read behind branches the element that each of them would read at its end, so that arrays come out of them. Then nobody has
// to wait where only kernels need the element (scalars_on_device.h, host/read_late.h).
//
//   let {dot : f64} = if c then {                     let {dots : [1]f64} = if c then {
//     let {a : [1]f64} = segred(...)                    let {a : [1]f64} = segred(...)
//     let {x : f64} = a[0]                              in {a}
//     in {x}                                    =>    } else {
//   } else {                                            let {b : [1]f64} = segred(...)
//     let {b : [1]f64} = segred(...)                    in {b}
//     let {y : f64} = b[0]                            }
//     in {y}                                          let {dot : f64} = dots[0]
//   }
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

Program read_behind_branches(const Program& program, NameSource& names);
Result<Program> read_behind_branches(const Program& program);

}  // namespace heddle::seg
