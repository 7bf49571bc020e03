// Running other commands: the real futhark, and the C compiler.
#pragma once

#include <string>
#include <vector>

#include "frontend_bridge/pipeline.h"

namespace heddle {

struct Output {
  int status = 0;  // exit status; 127 when the command could not be started
  std::string text;
};

// Runs a command to its end with its stdout captured; stderr goes where ours goes.
Output run_command(const std::vector<std::string>& words);

namespace futhark {

// The segmented-op IR of a .fut or .fut_soacs file. Warnings and errors go to stderr as Futhark prints them.
Result<std::string> extract_kernels(const std::string& path, const HostOptions& options);

}  // namespace futhark
}  // namespace heddle
