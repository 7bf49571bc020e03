// What `--version` says, and what manifests say.
#pragma once

#include <cstdio>

namespace heddle::cli {

// A Futhark version to begin with, as in manifests that Futhark makes.
inline constexpr const char* kVersion = HEDDLE_FUTHARK_VERSION " (heddle " HEDDLE_VERSION ")";

// The second line is for tools that look for the Futhark version that a driver stands for.
inline void print_version() { std::puts("heddle " HEDDLE_VERSION "\nfor Futhark " HEDDLE_FUTHARK_VERSION); }

}  // namespace heddle::cli
