// Loads at once what a thread reads of neighbours in memory.
//
//   let i_1 = t_0 * 2                  let i_1 = t_0 * 2
//   let x_2 = a_9[i_1]                 alloc wide_5: register f32[2]
//   let j_3 = t_0 * 2 + 1       =>     for e_6 in 2 (vector) { wide_5[e_6] := a_9[i_1 + e_6] }
//   let x_4 = a_9[j_3]                 let x_2 = wide_5[0]
//                                      let j_3 = t_0 * 2 + 1
//                                      let x_4 = wide_5[1]
#pragma once

#include "ir/nest/nest.h"
#include "ir/support/names.h"

namespace heddle::nest {

// `places`: what the block's Lets call neighbouring places, in order, of which the block's statements read buffers that nobody writes and
// of which the elements of a row are neighbours: `readable`. Of each of these that it reads at all places of one row, the first of its
// elements is where an access as wide as all of them, or kWidestAccess, may begin.
Block wide_loads(const Block& block, const std::vector<Name>& places, const std::vector<Buffer>& readable,
                 NameSource& names);

}  // namespace heddle::nest
