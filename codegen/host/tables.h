// The static tables of a generated program.
#pragma once

#include <string>

#include "ir/host/host.h"

namespace heddle::codegen::host {

// HD_TUNE_...
std::string_view c_tuning_class(seg::SizeClassKind kind);

std::string params_table(const heddle::host::Program& program);
std::string failures_table(const heddle::host::Program& program);

}  // namespace heddle::codegen::host
