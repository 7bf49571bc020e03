// Has kernels read the single results that only kernels need, so that the host neither waits for them nor passes them
// on.
//
//   let {as : [1]f32} = segred ...  let {a : f32} = as[0]  let {ys} = segmap (i < n) { ... a ... }
// becomes
//   let {as : [1]f32} = segred ...  let {ys} = segmap (i < n) { let {b : f32} = as[0] ... b ... }
// where all that `a` is used for are maps without loops before anything that might overwrite `as`. Not of i64, which may
// be a size.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> keep_on_device(const Program& program);

}  // namespace heddle::seg
