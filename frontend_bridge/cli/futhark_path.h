// Where the real futhark is, and where heddle is.
#pragma once

#include <string>

#include "ir/support/error.h"

namespace heddle::cli {

// $HEDDLE_FUTHARK; else what ./dev or `heddle doctor` installed in the user's cache; else "futhark", to be found on PATH.
std::string futhark_path();

// The file that we are, for tools that are to call us.
Result<std::string> own_path();

}  // namespace heddle::cli
