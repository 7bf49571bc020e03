// Has the host read single results as late as it can, next to each other, so that it waits for the device once.
//
//   let {as : [1]i32} = segred ...  let {a : i32} = as[0]  let {bs : [1]i32} = segred ...  let {b : i32} = bs[0]
// becomes
//   let {as : [1]i32} = segred ...  let {bs : [1]i32} = segred ...  let {a : i32} = as[0]  let {b : i32} = bs[0]
// before whatever needs one of them, may overwrite the array, or has statements of its own. Only of arrays of one
// element: larger ones would be kept longer for it.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> read_late(const Program& program);

}  // namespace heddle::seg
