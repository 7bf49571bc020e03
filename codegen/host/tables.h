// The static tables of a generated program.
#pragma once

#include <string>

#include "codegen/host/survey.h"

namespace heddle::codegen::host {

// HD_TUNE_...
std::string_view c_tuning_class(seg::SizeClassKind kind);

std::string params_table(const Survey& survey);
std::string failures_table(const Survey& survey);

}  // namespace heddle::codegen::host
