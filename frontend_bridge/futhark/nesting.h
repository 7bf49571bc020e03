// How deeply programs may be nested. Reading, passes, lowering and writing follow the nesting by recursion; the reader
// refuses what would be too deep for any of them.
#pragma once

#include <cstddef>

namespace heddle::futhark {

// Of bodies in bodies (an `else if` is two), types in types and attributes in attributes.
inline constexpr int kMostLevels = 10'000;

// Of the stack for each level, in whatever recursion takes most, sanitizers included.
inline constexpr size_t kStackPerLevel = 32 * 1024;
inline constexpr size_t kStackForAll = (kMostLevels + 256) * kStackPerLevel;

// How many levels this thread's stack suffices for: kMostLevels if it has kStackForAll.
int most_levels();

}  // namespace heddle::futhark
