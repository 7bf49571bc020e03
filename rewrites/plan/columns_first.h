// Lays arrays out so that neighbouring threads read neighbours, where one copy serves all steps of a loop of the host, or each thread reads its
// row again and again.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/names.h"

namespace heddle::lower {

//   let {r} = loop {x} = {...} for/while ... do {
//     let {y} = segmap(thread)(i < n) { let {row} = xs[i, 0 :+ d] let {s} = loop ... do { ...row[j]... } return {s} } ... }
// becomes
//   let {columns} = manifest((1, 0), xs)
//   let {r} = loop {x} = {...} for/while ... do {
//     let {y} = segmap(thread)(i < n) { let {row} = columns[i, 0 :+ d] let {s} = loop ... do { ...row[j]... } return {s} } ... }
// for arrays that are known to lie row by row, exist before the loop, and are read by the segmap, or by a reduction whose order does not
// matter, in no other way. Each thread of a warp would else read a row of its own, and each load of the warp take a part of 32 cache lines, in
// every step; the copy is made once, at the speed of memory.
//
// Before a single operation, too, which may read other parts of the array where they were, where it has an operation on rows within another, as in
//   segmap(thread)(i < n) { let {row} = xs[i, 0 :+ d] let {ys} = map(k, {zs}, \ {z} -> ...redomap(d, {row, z}, ...)...) return {ys} }
// for arrays that have a row for each point, and no rows that are known to be short; rows of rows, xs[i, k, 0 :+ d], that a loop over k reads are
// run through again and again where another loop is around, too. Of points with several indices, those whose arrays of their own
// are made by operations within others read the same again for each of the other indices, and the copy is made even where nobody knows how the array
// lies:
//   segmap(thread)(j < m, i < n) { let {rows} = xs[i, 0 :+ d, 0 :+ e] let {ys} = map(d, {rows}, \ {row} -> ...redomap(e, {row, zs}, ...)...) ... }
// Reductions of several segments, of which all read the same rows, have copies of narrow ones, too:
//   segred(thread)(j < m, i < n) (commutative ...) { let {row} = xs[i, 0 :+ 8] ...redomap(8, {row, z}, ...)... }
//   segred(thread)(k < b, j < m, i < n) (commutative ...) { let {row} = xs[k, i, 0 :+ d] ...redomap(d, {row, z}, ...)... }
seg::Program columns_first(const seg::Program& program, NameSource& names);

}  // namespace heddle::lower
