// `heddle tune`: thresholds and tilings that suit a program's datasets, in a file that the program reads (--tuning).
#pragma once

#include <vector>

#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

int tune_command(int argc, char** argv);
std::vector<OptionInfo> tune_options();

}  // namespace heddle::cli
