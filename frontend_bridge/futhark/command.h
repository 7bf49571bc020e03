// Running other commands: the real futhark, and the C compiler.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_bridge/pipeline.h"

namespace heddle {

inline constexpr int kCannotStart = 127;

struct Output {
  int status = 0;  // exit status; 128 and the signal that ended it; or kCannotStart
  std::string text;
};

// Runs a command to its end with its stdout captured, and told of line by line; stderr goes where ours goes.
Output run_command(const std::vector<std::string>& words, const std::function<void(std::string_view)>& on_line = {});

// Runs commands at the same time to their ends; their output goes where ours goes. Yields their exit statuses.
std::vector<int> run_together(const std::vector<std::vector<std::string>>& commands);

// Runs a program to its end, under the name and with the arguments in `words`. Yields its exit status.
int run_program(const std::string& program, const std::vector<std::string>& words);

namespace futhark {

// The segmented-op IR of a .fut or .fut_soacs file. Warnings and errors go to stderr as Futhark prints them.
Result<std::string> extract_kernels(const std::string& path, const HostOptions& options);

}  // namespace futhark
}  // namespace heddle
