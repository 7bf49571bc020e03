// Copies of single elements as reads and writes by the host.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// Futhark has a device copy single elements, so that the host does not wait for them:
//
//   let {a : [1]f32} = xs[i :+ 1]           let {a : [1]f32} = xs[i :+ 1]
//   let {zs} = ys with [j :+ 1] = a     =>  let {x : f32} = xs[i]
//                                           let {zs} = ys with [j] = x
//
// A processor has them at hand: copying takes longer than to read and write. In host code; `a` goes where nothing else uses it.
Program single_elements(const Program& program, NameSource& names);
Result<Program> single_elements(const Program& program);

}  // namespace heddle::seg
