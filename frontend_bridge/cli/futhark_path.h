// Where the real futhark is.
#pragma once

#include <string>

namespace heddle::cli {

// $HEDDLE_FUTHARK; else what ./dev installed in the user's cache; else "futhark", to be found on PATH.
std::string futhark_path();

}  // namespace heddle::cli
