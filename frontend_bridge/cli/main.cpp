// The command line: our own commands, and everything else handed to the real futhark, so that heddle can stand in its
// place (`futhark test --futhark=heddle`).
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "frontend_bridge/cli/compile_command.h"
#include "frontend_bridge/cli/file_commands.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/large_stack.h"
#include "frontend_bridge/cli/pass_command.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/cli/tune_command.h"
#include "frontend_bridge/cli/version.h"

namespace {

using namespace heddle;

constexpr const char* kUsage = R"(usage: heddle COMMAND ...

  cuda PROGRAM     compile to an executable or server that runs on an NVIDIA GPU (options: heddle cuda --help)
  cpu PROGRAM      the same, running the same kernels on the CPU
  tune PROGRAM     find thresholds and tilings that suit the program's datasets (options: heddle tune --help)
  check FILE       read and verify
  print FILE       read, verify, and write back in Futhark's syntax
  compile FILE     print what the program is compiled to (--emit=cuda|nest|seg|host)
  explain FILE     say how each parallel operation is compiled, and why (--json, --passes, --steps, --tilings)
  run FILE         run an entry point on the CPU, with data from standard input (--entry NAME)
  pass NAME [FILE] run one pass or rewrite of kernels alone, from text to text (heddle pass --list)

FILE is a .fut, .fut_soacs or .fut_gpu file. Every other command is Futhark's own and goes to the real futhark
(HEDDLE_FUTHARK names it), among them test, bench, dataset, c, dev, and `run -e`.
)";

bool is_file_command(std::string_view word, int argc, char** argv) {
  // Futhark's tools call `PROG run -e ENTRY foo.fut` to interpret a program.
  if (word == "run") return argc < 3 || std::string_view(argv[2]) != "-e";
  return word == "check" || word == "print" || word == "compile" || word == "explain";
}

int forward(char** argv) {
  std::string futhark = cli::futhark_path();
  std::string name = futhark;
  argv[0] = name.data();
  execvp(futhark.c_str(), argv);
  return cli::report(
      input_error("cannot run " + futhark + ": heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK"));
}

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
  if (is_file_command(word, argc, argv)) return cli::file_command(argc, argv);
  return forward(argv);
}

int guarded(int argc, char** argv) try { return dispatch(argc, argv); } catch (const std::bad_alloc&) {
  return cli::report(input_error("out of memory"));
} catch (const std::exception& e) {
  return cli::report(internal_error(e.what()));
}

}  // namespace

int main(int argc, char** argv) {
  return cli::on_large_stack([&] { return guarded(argc, argv); });
}
