// Futhark's own commands, which the real futhark answers, with heddle as the compiler that its tools use.
#pragma once

#include <span>
#include <string_view>

namespace heddle::cli {

// Those that the real futhark answers, and those of them that compile programs.
std::span<const std::string_view> futharks_commands();
std::span<const std::string_view> futharks_tools();

// Whether the real futhark answers these words of a command line (argv[0] is heddle itself): a command that only it
// has, `run -e`, by which its tools interpret programs, and `check` of source text.
bool is_for_futhark(int argc, char** argv);

// Becomes the real futhark. Comes back with an exit code only where that fails.
int become_futhark(int argc, char** argv);

// For what is neither heddle's nor Futhark's. Yields the exit code.
int unknown_command(std::string_view word);

}  // namespace heddle::cli
