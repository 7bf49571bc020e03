// Leaves a version of an operation out that would keep only a few of a device's multiprocessors busy.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

//   let {y} = if <equiv> c then { let {r} = segmap(block)(i < 4) { ... } in {r} }
//             else { let {t} = segmap(thread)(i < 4, j < n) { ... } let {u} = segmap(thread)(i < 4, k < m) { ... t ... } in {u} }
// becomes
//   let {t} = segmap(thread)(i < 4, j < n) { ... }
//   let {u} = segmap(thread)(i < 4, k < m) { ... t ... }
//   let {y} = u
// where the version by blocks has at most a few of them whatever the sizes, and the other one is nothing but maps of all points: then
// these also stand beside what comes before and after, so that they can be fused with it.
Result<Program> drop_few_blocks(const Program& program);

}  // namespace heddle::seg
