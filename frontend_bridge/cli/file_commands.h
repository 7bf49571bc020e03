// The commands that look into a program or run it: check, print, compile, explain, run.
#pragma once

#include <string>
#include <vector>

#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

// Given the whole command line. Yields the exit code.
int file_command(int argc, char** argv);

std::vector<OptionInfo> file_command_options(const std::string& command);

}  // namespace heddle::cli
