// The command line: our own commands, and Futhark's own handed to the real futhark, so that heddle can stand in its
// place (`futhark test --futhark=heddle`).
#include <fmt/format.h>

#include <csignal>
#include <string_view>

#include "frontend_bridge/cli/commands.h"
#include "frontend_bridge/cli/futhark_commands.h"
#include "frontend_bridge/cli/last_resort.h"
#include "frontend_bridge/cli/version.h"
#include "frontend_bridge/futhark/nesting.h"
#include "frontend_bridge/system/large_stack.h"
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
  // This thread only waits: all signals go to the other one, which now and then must not be interrupted.
  sigset_t all, usual;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &usual);
  int code = 0;
  auto run = [&] { code = cli::last_resort([&] { return dispatch(argc, argv); }); };
  if (!on_large_stack(futhark::kStackForAll, usual, run)) {
    // Of what is nested, the reader lets less pass.
    pthread_sigmask(SIG_SETMASK, &usual, nullptr);
    run();
  }
  return code;
}
