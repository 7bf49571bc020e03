// What `--version` says.
#pragma once

#include <cstdio>

namespace heddle::cli {

// The second line is for tools that look for the Futhark version that a driver stands for.
inline void print_version() { std::puts("heddle " HEDDLE_VERSION "\nfor Futhark 0.25.27"); }

}  // namespace heddle::cli
