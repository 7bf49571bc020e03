// Values with which points update the same places of an accumulator are summed first, instead of one by one where they meet.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {a} = segmap(thread)(i < n, j < k) : {acc(c, [k][d], {t})} {
//     let s = redomap(...) let {u} = map(d, {xs, iota, acc}, \{x, l, a} -> let {b} = update_acc(a, {j, l}, {s * x}) in {b}) return {returns u}
//   }
// becomes
//   let {values : [n][k]t} = segmap(thread)(i < n, j < k) : {t} { let s = redomap(...) return {returns s} }
//   let {sums : [k][d]t} = if <equiv> there are many places
//     then { segmap(thread)(j < k, l < d) : {t} { redomap(n, \i -> values[i, j] * xs[l], op) } }
//     else { segred(thread)(j < k, l < d, i < n) (commutative {op, {ne}, , }) : {t} { return {returns values[i, j] * xs[l]} } }
//   let {a} = segmap(thread)(j < k, l < d) : {acc(c, [k][d], {t})} { let {b} = update_acc(acc, {j, l}, {sums[j, l]}) return {returns b} }
// where point_update.h finds the place, and some indices tell nothing of it. This is what gradients are made of: those of layers become
// contractions.
//
// Of the host's versions one whose points all have places of their own then is the only one, if the other's do not; so that it is not left
// with less than both had, its reductions get a version by threads, too, where that may be a contraction:
//   let {a} = if <equiv> c then { ... update_acc(acc, {j, l}, ...) for each i ... } else { segred ... segmap(..) update_acc(acc, {j, l}, ...) }
Program sum_updates(const Program& program, NameSource& names);
Result<Program> sum_updates(const Program& program);

}  // namespace heddle::seg
