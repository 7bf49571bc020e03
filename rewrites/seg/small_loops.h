// Loops of the host whose steps do little, as one kernel of one thread where sizes are small.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// A processor's launch costs as much as hundreds of operations. Of a loop whose steps launch several kernels it is asked before how many
// operations a step has in all, and of few the whole loop is one kernel, of one thread, in which each operation is a loop over its points:
//
//   let {ys : [n]f32} = loop {xs : *[n]f32} = {xs_0} for i < k do {
//     let {s : f32} = segred(thread)(j < n) ...xs[j]...
//     let {zs : [n]f32} = segmap(thread)(j < n) ...s...
//     in {zs}
//   }
//
//   let {few : bool} = ...n...
//   let {ys : [n]f32} = match <equiv> {few}
//     case {true} -> {
//       let {rows : [1][n]f32} = segmap(block; grid=1; blocksize=1)(p < 1) {
//         let {own : [n]f32} = copy xs_0
//         let {zs : [n]f32} = loop {xs : *[n]f32} = {own} for i < k do { segred(inblock)..., segmap(inblock)... }
//         return {returns zs}
//       }
//       let {row : [n]f32} = rows[0]
//       in {row}
//     }
//     default -> { ...the loop as it was... }
//
// Loops around it stay as they are if they can become no kernel themselves. For processors: on a GPU one thread is slow.
Program small_loops(const Program& program, NameSource& names);
Result<Program> small_loops(const Program& program);

}  // namespace heddle::seg
