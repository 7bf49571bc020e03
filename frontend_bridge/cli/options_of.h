// The options of commands that CLI11 reads.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

std::vector<OptionInfo> options_of(const CLI::App& app);

}  // namespace heddle::cli
