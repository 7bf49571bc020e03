// How far apart the rows of shared arrays should begin, so that neighbouring threads do not meet in a bank of shared memory.
//
//   alloc a: shared f32[32][32]        thread t reads a[t][i_3]: all threads read the same bank, and one after the other
//   alloc b: shared f32[n_1][n_2]      thread t reads b[m_4 - t][t + 1]: so they do where n_2 is 33
//
// gives a 1, and b (2 - n_2) & 3.
#pragma once

#include <unordered_map>

#include "ir/nest/nest.h"

namespace heddle::nest {

// By how many elements the rows should be longer, for those buffers that the block allocates where more is gained by it than lost.
// `thread` is the number of a thread among those that run the block.
std::unordered_map<Name, Expr> row_paddings(const Block& block, const Name& thread);

}  // namespace heddle::nest
