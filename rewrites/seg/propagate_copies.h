// Has host code use what names stand for that are only other names of it, as functions leave them for their results.
//
//   let {a : [n]f32} = segmap ...  let {b : [n]f32} = a  let {c : [n]f32} = segmap(thread)(i < n) { ..b[i].. }
// becomes
//   let {a : [n]f32} = segmap ...  let {c : [n]f32} = segmap(thread)(i < n) { ..a[i].. }
//
// Names are expected to be bound once in a function.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> propagate_copies(const Program& program);

}  // namespace heddle::seg
