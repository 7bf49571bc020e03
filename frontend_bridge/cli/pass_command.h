// `heddle pass`: one pass or rewrite alone, from text to text.
#pragma once

#include <vector>

#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

// `argv[0]` is the command's name. Yields the exit code.
int pass_command(int argc, char** argv);
std::vector<OptionInfo> pass_options();

}  // namespace heddle::cli
