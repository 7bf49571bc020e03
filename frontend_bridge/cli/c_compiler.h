// From C text to an executable, by the machine's C compiler.
#pragma once

#include <string>

#include "ir/support/error.h"

namespace heddle::cli {

// Compiles with $CC (default: cc) and $CFLAGS (default: -O3). Leaves the C text at OUTPUT.c, as futhark does; writes
// nothing at all when the compiler fails. Yields nothing but success.
Result<std::monostate> build_executable(const std::string& c_text, const std::string& output);

}  // namespace heddle::cli
