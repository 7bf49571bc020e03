// Accumulators that hold nothing yet, and of which each element is updated once, are what they are updated with.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

//   let {zeros : [n][m]t} = replicate([n][m], 0)
//   let {sums : [n][m]t} = withacc({{[n][m], {zeros}, (op, {0})}}, \{c, acc} ->
//     let {s : [n][m]t} = ...
//     let {a} = segmap(thread)(i < n, j < m) : {acc(c, [n][m], {t})} { let {x} = s[i, j] let {b} = update_acc(acc, {i, j}, {x}) return {b} }
//     in {a})
// becomes
//   let {s : [n][m]t} = ...
//   let {sums : [n][m]t} = s
//
// also where branches each do so. Gradients are such, once their updates are sums (sum_updates.h): what is gone is a kernel that fills the
// array and one that adds to it.
Result<Program> updates_of_neutral(const Program& program);

}  // namespace heddle::seg
