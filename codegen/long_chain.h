// Chains of `else if` in C.
#pragma once

#include <cstddef>

namespace heddle::codegen {

// Longer chains are written as
//   do { if (c) { ..; break; }  S;  if (d) { ..; break; }  .. } while (0);
// and not one in the other, since C compilers need not take more than 127 levels, and clang takes 256.
inline constexpr size_t kLongChain = 16;

}  // namespace heddle::codegen
