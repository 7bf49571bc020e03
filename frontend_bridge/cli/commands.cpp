#include "frontend_bridge/cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend_bridge/cli/compile_command.h"
#include "frontend_bridge/cli/completions.h"
#include "frontend_bridge/cli/doctor.h"
#include "frontend_bridge/cli/file_commands.h"
#include "frontend_bridge/cli/futhark_commands.h"
#include "frontend_bridge/cli/manual.h"
#include "frontend_bridge/cli/pass_command.h"
#include "frontend_bridge/cli/tune_command.h"

namespace heddle::cli {

namespace {

constexpr size_t kWidth = 118;  // of lines

// Breaks at blanks.
std::string wrapped(std::string_view text) {
  std::string out;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0) {
      const bool fits = column + 1 + word.size() <= kWidth;
      out += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

template <codegen::host::Target target>
int compile(int argc, char** argv) {
  return compile_command(target, argc - 1, argv + 1);
}

template <int (*command)(int, char**)>
int by_own_name(int argc, char** argv) {
  return command(argc - 1, argv + 1);
}

template <const char* name>
std::vector<OptionInfo> options() {
  return file_command_options(name);
}

constexpr char kCheck[] = "check", kPrint[] = "print", kCompile[] = "compile", kExplain[] = "explain", kRun[] = "run";

}  // namespace

const std::vector<Command>& commands() {
  using codegen::host::Target;
  static const std::vector<Command> all = {
      {"cuda", "PROGRAM", "compile to an executable or server that runs on an NVIDIA GPU (options: heddle cuda --help)",
       compile<Target::Cuda>, compile_options},
      {"cpu", "PROGRAM", "the same, running the same kernels on the CPU", compile<Target::Cpu>, compile_options},
      {"tune", "PROGRAM", "find thresholds and tilings that suit the program's datasets (options: heddle tune --help)",
       by_own_name<tune_command>, tune_options},
      {kCheck, "FILE", "read and verify; source text: type-check, as futhark check", file_command, options<kCheck>},
      {kPrint, "FILE", "read, verify, and write back in Futhark's syntax", file_command, options<kPrint>},
      {kCompile, "FILE", "print what the program is compiled to (--emit=cuda|nest|seg|host)", file_command,
       options<kCompile>},
      {kExplain, "FILE", "say how each parallel operation is compiled, and why (--html, --plan, --steps, --tilings)",
       file_command, options<kExplain>},
      {kRun, "FILE", "run an entry point on the CPU, with data from standard input (--entry NAME)", file_command,
       options<kRun>},
      {"pass", "NAME [FILE]", "run one pass or rewrite of kernels alone, from text to text (heddle pass --list)",
       by_own_name<pass_command>, pass_options},
      {"doctor", "", "say what of all that heddle needs is found and missing, and what to do",
       by_own_name<doctor_command>, doctor_options},
      {"completions", "SHELL", "print completions for bash, zsh or fish", by_own_name<completions_command>, no_options},
      {"manual", "", "print the manual page", by_own_name<manual_command>, no_options},
  };
  return all;
}

std::vector<OptionInfo> no_options() { return {}; }

std::string_view about_files() { return "FILE is a .fut, .fut_soacs or .fut_gpu file."; }

std::string about_futharks_commands() {
  return fmt::format(
      "Futhark's own commands go to the real futhark (HEDDLE_FUTHARK names it): {} and run -e. Of these, {} compile "
      "with heddle "
      "where --backend is cuda or cpu.",
      fmt::join(futharks_commands(), ", "), fmt::join(futharks_tools(), ", "));
}

std::string_view about_exit_codes() {
  return "1: the input is wrong. 2: Futhark rejects the program, in its own words. 3: heddle cannot do this yet, and "
         "says what. 4: heddle is broken.";
}

std::string usage_text() {
  std::string text = "usage: heddle COMMAND ...\n\n";
  for (const Command& c : commands())
    text += fmt::format("  {:<17} {}\n", fmt::format("{} {}", c.name, c.argument), c.summary);
  return fmt::format("{}\n{}", text, wrapped(fmt::format("{} {}", about_files(), about_futharks_commands())));
}

}  // namespace heddle::cli
