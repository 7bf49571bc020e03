// `heddle cuda` and `heddle cpu`: what `futhark cuda` is, option by option.
#pragma once

#include "codegen/host/generate.h"

namespace heddle::cli {

int compile_command(codegen::host::Target target, int argc, char** argv);

}  // namespace heddle::cli
