// The commands that look into a program or run it: check, print, compile, explain, run.
#pragma once

#include <string_view>

namespace heddle::cli {

bool is_file_command(std::string_view word);
int file_command(int argc, char** argv);

}  // namespace heddle::cli
