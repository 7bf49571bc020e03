// From C text to an executable, by the machine's C compiler.
#pragma once

#include <string>
#include <vector>

#include "codegen/host/generate.h"
#include "ir/support/error.h"

namespace heddle::cli {

// Compiles with $CC (default: cc) and $CFLAGS. Without the latter, kernels for the CPU are an object of their own with
// -O3 (-O2 in long programs) and all else, which hardly takes time when it runs but most of the compiler's, gets -Og. Without
// both, the runtime is not compiled at all: heddle has it as an object. Leaves the C text at OUTPUT.c, whole, as futhark
// does; writes nothing at all when the compiler fails. Yields nothing but success.
Result<std::monostate> build_executable(const std::string& c_text, codegen::host::Target target,
                                        const std::string& output);

// The words that the C compiler is called by, and whether a small program can be compiled and linked with it.
std::vector<std::string> c_compiler();
Result<std::monostate> try_c_compiler();

}  // namespace heddle::cli
