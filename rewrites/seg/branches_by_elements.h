// Has a thread for each element of rows that points make in branches.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

//   let {ys : [n][m]t} = segmap(thread)(i < n) : {[m]t} {
//     let {row} = xs[i, 0 :+ m] let {c} = ...i...
//     let {y : [m]t} = if c then { pivot } else { let {p} = row[k] let {z} = map(m, {row, pivot}, \x q -> x - p * q) in {z} }
//     return {returns y} }
// becomes
//   let {ys : [n][m]t} = segmap(thread)(i < n, j < m) : {t} {
//     let {row} = xs[i, 0 :+ m] let {c} = ...i...
//     let {y} = if c then { let {e} = pivot[j] in {e} } else { let {p} = row[k] let {x} = row[j] let {q} = pivot[j] let {z} = x - p * q in {z} }
//     return {returns y} }
// in blocks likewise: the host's compiler takes no maps out of branches, so that one thread would go through a row, and its neighbours through others far away. Where
// an element is a few operations and reads (takes_little), and all results are of one shape. What can fail
// is checked for rows without elements by the operation as it was, for as many rows as there are of these; operations in blocks that can fail stay as they are.
Program branches_by_elements(const Program& program, NameSource& names);
Result<Program> branches_by_elements(const Program& program);

}  // namespace heddle::seg
