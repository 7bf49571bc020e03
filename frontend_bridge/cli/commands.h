// The commands that heddle answers itself: the one list that it calls them by, and tells them by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_bridge/cli/option_info.h"

namespace heddle::cli {

struct Command {
  std::string_view name, argument, summary;
  int (*run)(int argc, char** argv);  // given the whole command line; yields the exit code
  std::vector<OptionInfo> (*options)();
};

const std::vector<Command>& commands();

std::vector<OptionInfo> no_options();

// What `heddle --help` prints.
std::string usage_text();

// What of that is not the list: which files are meant, Futhark's commands, exit codes.
std::string_view about_files();
std::string about_futharks_commands();
std::string_view about_exit_codes();

}  // namespace heddle::cli
