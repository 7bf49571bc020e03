// Leaves a version of an operation out that would keep only a few of a device's multiprocessors busy, or hardly more threads than
// another one.
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
//
// Likewise a version in which threads share the folding of a few elements, where each can do it alone:
//   let {y} = if <equiv> c then { let {r} = segmap(thread)(i < n) { let s = redomap(7, ..) .. } in {r} }
//             else { let {t} = segred(thread)(i < n, j < 7) { ... } let {u} = segmap(thread)(i < n) { ... t ... } in {u} }
// becomes
//   let {r} = segmap(thread)(i < n) { let s = redomap(7, ..) .. }
//   let {y} = r
Result<Program> drop_versions(const Program& program);

}  // namespace heddle::seg
