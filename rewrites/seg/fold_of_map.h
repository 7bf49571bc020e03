// Reductions of what a map computes by short loops, computed where it is reduced.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {d : [n][m]t, e : [n][m]u} = segmap(thread)(i < n, j < m) { let {row} = xs[j, 0 :+ 8] let {s} = redomap(8, {row}, ..) .. return {s, v} }
//   let {r, q} = segred(thread)(i < n, j < m) (...) { let {x} = d[i, j]  let {y} = e[i, j]  return {x, y} }
// becomes
//   let {r, q} = segred(thread)(i < n, j < m) (...) { let {row} = xs[j, 0 :+ 8] let {s} = redomap(8, {row}, ..) .. return {s, v} }
//
// where nobody else reads d and e, no point can fail, and nothing is overwritten between the two. The host distributes such maps since their points are
// parallel within; where these are a few steps, what they yield takes longer to store and to read than to compute.
Program fold_of_map(const Program& program, NameSource& names);
Result<Program> fold_of_map(const Program& program);

}  // namespace heddle::seg
