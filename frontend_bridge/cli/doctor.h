// `heddle doctor`: what of all that heddle and its programs need is on this machine, and what to do about the rest.
#pragma once

#include <vector>

#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

// Yields 0 where everything is there that programs for the CPU need.
int doctor_command(int argc, char** argv);
std::vector<OptionInfo> doctor_options();

}  // namespace heddle::cli
