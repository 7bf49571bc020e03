// Text as the result of a command.
#pragma once

#include <string>

namespace heddle::cli {

// Writes all of `text` to the file, or to standard output if none is named, or nothing. Yields the exit code.
int deliver(const std::string& text, const std::string& output);

}  // namespace heddle::cli
