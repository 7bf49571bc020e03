// `heddle cuda` and `heddle cpu`: what `futhark cuda` is, option by option.
#pragma once

#include <vector>

#include "codegen/host/generate.h"
#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

int compile_command(codegen::host::Target target, int argc, char** argv);
std::vector<OptionInfo> compile_options();

}  // namespace heddle::cli
