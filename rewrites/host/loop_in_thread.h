// A loop of the host as what one thread of the device does: its statements in order, on the same memory.
//
//   loop (at_1: i32 = 0i32, path_2: i32[] = path_3) for k_4 < n_5 {
//     read next_6: i32 = links_7[at_1];
//     write path_2[k_4] := next_6;
//     yield next_6, path_2;
//   } giving (last_8, result_9);
// becomes
//   alloc at_10: register i32;
//   at_10[] := 0i32;
//   for k_11 < n_12 {
//     let at_13: i32 = at_10[];
//     let next_14: i32 = links_15[at_13];
//     path_16[k_11] := next_14;
//     at_10[] := next_14;
//   }
//   let last_17: i32 = at_10[];
#pragma once

#include <optional>

#include "rewrites/host/one_thread.h"

namespace heddle::host {

// The elements' types of a function's arrays.
using ElemTypes = std::unordered_map<Name, prim::Type>;

struct LoopInThread {
  nest::Block body;
  // Arrays from outside of the loop whose elements it stores.
  std::vector<Name> stored;
};
// Nothing where a statement is none that a thread can do as well: launches and all that makes arrays; and where a result of the loop is another array
// than the parameter's initial one. The scalars that the loop yields are defined at the body's end.
std::optional<LoopInThread> loop_in_thread(const Loop& loop, const ElemTypes& types, OneThread& thread,
                                           NameSource& names);

}  // namespace heddle::host
