// Running the real futhark command.
#pragma once

#include <string>

#include "frontend_bridge/pipeline.h"

namespace heddle::futhark {

// The segmented-op IR of a .fut or .fut_soacs file. Warnings go to stderr as Futhark prints them.
Result<std::string> extract_kernels(const std::string& path, const HostOptions& options);

}  // namespace heddle::futhark
