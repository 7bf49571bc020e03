// The command line: our own commands, and Futhark's own handed to the real futhark, so that heddle can stand in its
// place (`futhark test --futhark=heddle`).
#include <fmt/format.h>

#include <string_view>

#include "frontend_bridge/cli/compile_command.h"
#include "frontend_bridge/cli/file_commands.h"
#include "frontend_bridge/cli/futhark_commands.h"
#include "frontend_bridge/cli/large_stack.h"
#include "frontend_bridge/cli/last_resort.h"
#include "frontend_bridge/cli/pass_command.h"
#include "frontend_bridge/cli/tune_command.h"
#include "frontend_bridge/cli/version.h"

namespace {

using namespace heddle;

constexpr const char* kUsage = R"(usage: heddle COMMAND ...

  cuda PROGRAM     compile to an executable or server that runs on an NVIDIA GPU (options: heddle cuda --help)
  cpu PROGRAM      the same, running the same kernels on the CPU
  tune PROGRAM     find thresholds and tilings that suit the program's datasets (options: heddle tune --help)
  check FILE       read and verify; source text: type-check, as futhark check
  print FILE       read, verify, and write back in Futhark's syntax
  compile FILE     print what the program is compiled to (--emit=cuda|nest|seg|host)
  explain FILE     say how each parallel operation is compiled, and why (--json, --passes, --steps, --tilings)
  run FILE         run an entry point on the CPU, with data from standard input (--entry NAME)
  pass NAME [FILE] run one pass or rewrite of kernels alone, from text to text (heddle pass --list)

FILE is a .fut, .fut_soacs or .fut_gpu file. Futhark's own commands go to the real futhark (HEDDLE_FUTHARK names it):
autotune, bench, benchcmp, c, check-syntax, datacmp, dataget, dataset, defs, dev, doc, eval, fmt, hash, hip, imports,
ispc, literate, multicore, opencl, pkg, profile, pyopencl, python, query, repl, run -e, script, test, thanks, tokens,
wasm, wasm-multicore. Of these, autotune, bench, literate, script and test compile with heddle where --backend is cuda
or cpu.
)";

int dispatch(int argc, char** argv) {
  std::string_view word = argc > 1 ? argv[1] : "--help";
  if (word == "-h" || word == "--help" || word == "help") {
    fmt::print("{}", kUsage);
    return argc > 1 ? 0 : exit_code(ErrorKind::Input);
  }
  if (word == "-V" || word == "--version") {
    cli::print_version();
    return 0;
  }
  if (word == "cuda") return cli::compile_command(codegen::host::Target::Cuda, argc - 1, argv + 1);
  if (word == "cpu") return cli::compile_command(codegen::host::Target::Cpu, argc - 1, argv + 1);
  if (word == "pass") return cli::pass_command(argc - 1, argv + 1);
  if (word == "tune") return cli::tune_command(argc - 1, argv + 1);
  if (cli::is_for_futhark(argc, argv)) return cli::become_futhark(argc, argv);
  if (cli::is_file_command(word)) return cli::file_command(argc, argv);
  return cli::unknown_command(word);
}

}  // namespace

int main(int argc, char** argv) {
  return cli::on_large_stack([&] { return cli::last_resort([&] { return dispatch(argc, argv); }); });
}
