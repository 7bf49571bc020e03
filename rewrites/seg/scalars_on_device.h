// Has one thread of the device compute what the host would compute from elements of arrays only for kernels: which elements these are
// may depend on other elements, and asserts may, too. The host then waits for none of it.
//
//   let {j : i64} = js[0]                               let {j_dev : [1]i64, f_dev : [1]f32} = gpu : {i64, f32} {
//   let {ok : bool} = slt64(j, n)                         let {j : i64} = js[0]
//   let {c : unit} = assert(ok, ...)                      let {ok : bool} = slt64(j, n)
//   let {f : f32} = #{c} a[j, i]                          let {c : unit} = assert(ok, ...)
//   let {b} = segmap(thread)(k < n) ... {       =>        let {f : f32} = #{c} a[j, i]
//     let {x} = #{c} a[j, k]                              in {j, #{c} f}
//     ... f ... }                                       }
//                                                       let {j : i64} = j_dev[0]
//                                                       let {f : f32} = f_dev[0]
//                                                       let {c : unit} = ()
//                                                       let {b} = segmap(thread)(k < n) ...
//
// An element that is overwritten behind by what follows from others the thread stores, too, where the others are known to lie elsewhere:
//
//   let {s : f32} = sums[0]                             let {y'} = segmap(thread)(one < 1) {
//   let {b : f32} = bs[i]                       =>        let {s : f32} = sums[0]
//   let {d : f32} = fsub32(b, s)                          ...
//   let {y'} = y with [i] = d                             return {y with ([i] = d)} }
//
// So are scalars behind that follow from the values and from elements of other arrays that are there by then, as b[k] / a[k, k]: left to the host
// they would need the values there.
//
// The last reads are such as kernels do themselves (host/read_in_kernel.h). Only where nothing else than points of segmented operations
// needs the values, or such a place, y with [k] = f or replicate([1], f), to which the device copies them, and where there is such a place or they could not be computed in each thread: a launch more for each wait less. Whoever relies on such an assert
// computes with the values, too, so that it comes behind.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

Program scalars_on_device(const Program& program, NameSource& names);
Result<Program> scalars_on_device(const Program& program);

}  // namespace heddle::seg
