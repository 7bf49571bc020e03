// The command line: our own commands, and Futhark's own handed to the real futhark, so that heddle can stand in its
// place (`futhark test --futhark=heddle`).
#include <fmt/format.h>

#include <string_view>

#include "frontend_bridge/cli/commands.h"
#include "frontend_bridge/cli/futhark_commands.h"
#include "frontend_bridge/cli/large_stack.h"
#include "frontend_bridge/cli/last_resort.h"
#include "frontend_bridge/cli/version.h"
#include "ir/support/error.h"

namespace {

using namespace heddle;

int dispatch(int argc, char** argv) {
  std::string_view word = argc > 1 ? argv[1] : "--help";
  if (word == "-h" || word == "--help" || word == "help") {
    fmt::print("{}", cli::usage_text());
    return argc > 1 ? 0 : exit_code(ErrorKind::Input);
  }
  if (word == "-V" || word == "--version") {
    cli::print_version();
    return 0;
  }
  if (cli::is_for_futhark(argc, argv)) return cli::become_futhark(argc, argv);
  for (const cli::Command& c : cli::commands()) {
    if (word == c.name) return c.run(argc, argv);
  }
  return cli::unknown_command(word);
}

}  // namespace

int main(int argc, char** argv) {
  return cli::on_large_stack([&] { return cli::last_resort([&] { return dispatch(argc, argv); }); });
}
