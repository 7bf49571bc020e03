#include "frontend_bridge/cli/compile_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "frontend_bridge/cli/c_compiler.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/progress.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/cli/version.h"
#include "frontend_bridge/cli/write_files.h"
#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/futhark/warnings.h"
#include "frontend_bridge/pipeline.h"
#include "rewrites/stencil/time_tile.h"

namespace heddle::cli {

namespace {

struct CompileOptions {
  HostOptions host;
  codegen::host::Mode mode = codegen::host::Mode::Executable;
  bool library = false;
  std::string output;
  std::string input;
  bool verbose = false;
  std::string dump_passes;
  std::string until;
  std::optional<stencil::Strategy> fusion = {};
  std::optional<int64_t> time_tile = {};
  std::optional<stencil::TileScope> tile_scope = {};
  std::optional<double> register_fraction = {};
  std::optional<stencil::Nesting> nested = {};
  bool no_winograd = false;
  std::vector<const stencil::Part*> without = {};
};

enum {
  kWerror = 256,
  kDumpPasses,
  kEntryPoint,
  kSafe,
  kExecutable,
  kLibrary,
  kServer,
  kUntil,
  kFusion,
  kTimeTile,
  kTileScope,
  kRegisterFraction,
  kNested,
  kNoWinograd,
  kWithout
};

struct Row {
  int code;  // what getopt_long yields: the short name's letter, if there is one
  const char *name, *argument;
  int has_arg;
  std::vector<const char*> help;  // lines
};

// Option by option as Futhark's compilers have them, then ours.
const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {kDumpPasses,
       "dump-passes",
       "DIR",
       required_argument,
       {"Write the program after each pass and the kernels into a folder."}},
      {kWerror, "Werror", "", no_argument, {"Treat warnings as errors."}},
      {kEntryPoint, "entry-point", "NAME", required_argument, {"Treat this function as an additional entry point."}},
      {'h', "help", "", no_argument, {"Print help and exit."}},
      {kSafe, "safe", "", no_argument, {"Ignore 'unsafe' in code."}},
      {'V', "version", "", no_argument, {"Print version information and exit."}},
      {'o', "", "FILE", required_argument, {"Name of what is made, without extensions."}},
      {'v', "verbose", "FILE", optional_argument, {"Print the time of each stage on standard error."}},
      {'w', "", "", no_argument, {"Disable all warnings."}},
      {'W', "", "", no_argument, {"The same."}},
      {kExecutable, "executable", "", no_argument, {"Generate an executable (set by default)."}},
      {kLibrary, "library", "", no_argument, {"Generate a library: C code, its header and a manifest."}},
      {kServer, "server", "", no_argument, {"Generate a server executable."}},
      {kFusion,
       "fusion",
       "STRATEGY",
       required_argument,
       {"Which stages of image pipelines become one kernel: none, pairwise, min-cut, greedy,", "largest or dp."}},
      {kTimeTile,
       "time-tile",
       "STEPS",
       required_argument,
       {"How many steps of an iterated stencil become one kernel where they can, 1 to 32; else", "a model chooses."}},
      {kTileScope,
       "tile-scope",
       "SCOPE",
       required_argument,
       {"Who computes a tile of fused stages: a block or, where its tile has room, a warp; hybrid: a",
        "warp that keeps a part of it in registers, where it can; stream: a block goes down a strip",
        "of columns, where it can; walk: a warp does, with all that it keeps in registers."}},
      {kRegisterFraction,
       "register-fraction",
       "FRACTION",
       required_argument,
       {"How much of a hybrid tile a warp keeps in registers, 0 to 1; else 0.5."}},
      {kNested,
       "nested",
       "WHERE",
       required_argument,
       {"Whether threads compute stages of a kernel for themselves, in registers, where neighbours do",
        "not share them: none, gated (where a block has much to keep) or forced."}},
      {kNoWinograd,
       "no-winograd",
       "",
       no_argument,
       {"Compute convolutions with windows of three steps by all their multiplications, also where",
        "fewer would be faster and about as exact."}},
      {kWithout,
       "without",
       "PART",
       required_argument,
       {"For measuring what it gains, leave out partitioned-borders, tight-halos,",
        "points-in-registers, walks or side-by-side."}},
      {kUntil,
       "until",
       "STEP",
       required_argument,
       {"Stop the derivation of tiled kernels at a step (heddle explain --steps), for measuring."}},
  };
  return all;
}

bool has_letter(const Row& r) { return r.code < kWerror; }

// Of a short or long name: the argument as it is attached.
std::string with_argument(const Row& r, std::string name, bool is_long) {
  if (r.has_arg == no_argument || name.empty()) return name;
  const std::string value = (is_long ? "=" : r.has_arg == required_argument ? " " : "") + std::string(r.argument);
  return name + (r.has_arg == optional_argument ? "[" + value + "]" : value);
}

std::string usage(const char* command) {
  std::string text = fmt::format("Usage: heddle {} options... <program.fut>\nOptions:\n\n", command);
  const std::string next_line = '\n' + std::string(32, ' ');
  for (const Row& r : rows()) {
    const std::string letter = has_letter(r) ? fmt::format("-{}", static_cast<char>(r.code)) : "";
    const std::string name = *r.name ? fmt::format("--{}", r.name) : "";
    text += fmt::format("  {:<10}{:<20}{}\n", with_argument(r, letter, false), with_argument(r, name, true),
                        fmt::join(r.help, next_line));
  }
  return text +
         "\nThe program may be a .fut, .fut_soacs or .fut_gpu file. CC and CFLAGS name the C compiler and its flags.\n";
}

// Parsed by getopt_long, because Futhark's own option syntax is getopt's: -ofoo, -v and -vFILE, abbreviations.
// Yields an exit code when there is nothing to compile.
std::optional<int> parse(const char* command, int argc, char** argv, CompileOptions& o) {
  std::string letters;
  std::vector<option> long_options;
  for (const Row& r : rows()) {
    if (has_letter(r)) letters += static_cast<char>(r.code) + std::string(static_cast<size_t>(r.has_arg), ':');
    if (*r.name) long_options.push_back({r.name, r.has_arg, nullptr, r.code});
  }
  long_options.push_back({nullptr, 0, nullptr, 0});
  for (int c; (c = getopt_long(argc, argv, letters.c_str(), long_options.data(), nullptr)) != -1;) {
    switch (c) {
      case kWerror:
        o.host.werror = true;
        break;
      case kDumpPasses:
        o.dump_passes = optarg;
        break;
      case kUntil:
        o.until = optarg;
        break;
      case kFusion: {
        o.fusion = stencil::find_strategy(optarg);
        if (!o.fusion) return report(input_error(fmt::format("--fusion={} names no strategy; try --help", optarg)));
        break;
      }
      case kTimeTile: {
        int64_t steps = 0;
        const char* end = optarg + std::strlen(optarg);
        auto [at, error] = std::from_chars(optarg, end, steps);
        if (error != std::errc() || at != end || steps < 1 || steps > stencil::kMostTimeSteps)
          return report(input_error(fmt::format("--time-tile={} is no number of steps; try --help", optarg)));
        o.time_tile = steps;
        break;
      }
      case kTileScope:
        o.tile_scope = stencil::find_tile_scope(optarg);
        if (!o.tile_scope) return report(input_error(fmt::format("--tile-scope={} is none; try --help", optarg)));
        break;
      case kRegisterFraction: {
        double fraction = 0;
        const char* end = optarg + std::strlen(optarg);
        auto [at, error] = std::from_chars(optarg, end, fraction);
        if (error != std::errc() || at != end || !(fraction >= 0 && fraction <= 1))
          return report(input_error(fmt::format("--register-fraction={} is no part of a tile; try --help", optarg)));
        o.register_fraction = fraction;
        break;
      }
      case kNested:
        o.nested = stencil::find_nesting(optarg);
        if (!o.nested) return report(input_error(fmt::format("--nested={} is none; try --help", optarg)));
        break;
      case kNoWinograd:
        o.no_winograd = true;
        break;
      case kWithout:
        o.without.push_back(stencil::find_part(optarg));
        if (!o.without.back())
          return report(input_error(fmt::format("--without={} names no part; try --help", optarg)));
        break;
      case kEntryPoint:
        o.host.entry_points.emplace_back(optarg);
        break;
      case kSafe:
        o.host.safe = true;
        break;
      case kExecutable:
        o.mode = codegen::host::Mode::Executable;
        o.library = false;
        break;
      case kLibrary:
        o.library = true;
        break;
      case kServer:
        o.mode = codegen::host::Mode::Server;
        o.library = false;
        break;
      case 'h':
        fmt::print("{}", usage(command));
        return 0;
      case 'V':
        print_version();
        return 0;
      case 'o':
        o.output = optarg;
        break;
      case 'v':
        o.verbose = true;
        break;
      case 'w':
      case 'W':
        o.host.warnings = false;
        break;
      default:
        fmt::print(stderr, "Try 'heddle {} --help'.\n", command);
        return exit_code(ErrorKind::Input);
    }
  }
  if (argc - optind != 1) return report(input_error("exactly one program must be given; try --help"));
  o.input = argv[optind];
  return std::nullopt;
}

// Runs stages of the compilation.
class Stages {
 public:
  explicit Stages(bool verbose) : verbose_(verbose) {}
  // Tells how long `work` takes: on a terminal meanwhile, and afterwards if asked for.
  template <class F>
  auto run(const char* stage, F&& work) const {
    auto begin = std::chrono::steady_clock::now();
    auto result = during(stage, work);
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (verbose_ && result) fmt::print(stderr, "{:<28}{:10.1f} ms\n", stage, ms);
    return result;
  }

 private:
  bool verbose_;
};

}  // namespace

std::vector<OptionInfo> compile_options() {
  std::vector<OptionInfo> all;
  for (const Row& r : rows()) {
    OptionInfo info;
    if (has_letter(r)) info.names.push_back(fmt::format("-{}", static_cast<char>(r.code)));
    if (*r.name) info.names.push_back(fmt::format("--{}", r.name));
    info.argument = r.argument;
    info.may_be_alone = r.has_arg == optional_argument;
    if (r.code == kWithout) {
      for (const stencil::Part& p : stencil::kParts) info.choices.emplace_back(p.name);
    }
    if (r.code == kTileScope) {
      for (const stencil::NamedScope& s : stencil::kTileScopes) info.choices.emplace_back(s.name);
    }
    if (r.code == kFusion) {
      for (const stencil::NamedStrategy& s : stencil::kStrategies) info.choices.emplace_back(s.name);
    }
    info.help = fmt::format("{}", fmt::join(r.help, " "));
    all.push_back(std::move(info));
  }
  return all;
}

int compile_command(codegen::host::Target target, int argc, char** argv) {
  CompileOptions o;
  o.host.futhark = futhark_path();
  const char* command = argv[0];
  std::string name = fmt::format("heddle {}", command);  // getopt begins its messages with it
  argv[0] = name.data();
  if (auto code = parse(command, argc, argv, o)) return *code;
  if (target == codegen::host::Target::Cpu && !o.until.empty())
    return report(input_error("programs for the CPU have no tiled kernels, so --until says nothing about them"));
  if (target == codegen::host::Target::Cpu && o.fusion)
    return report(input_error("programs for the CPU have no fused stages, so --fusion says nothing about them"));
  if (target == codegen::host::Target::Cpu && o.time_tile)
    return report(input_error("programs for the CPU have no fused stages, so --time-tile says nothing about them"));
  if (target == codegen::host::Target::Cpu && o.tile_scope)
    return report(input_error("programs for the CPU have no fused stages, so --tile-scope says nothing about them"));
  if (target == codegen::host::Target::Cpu && o.register_fraction)
    return report(
        input_error("programs for the CPU have no fused stages, so --register-fraction says nothing about them"));
  if (target == codegen::host::Target::Cpu && o.nested)
    return report(input_error("programs for the CPU have no fused stages, so --nested says nothing about them"));
  if (target == codegen::host::Target::Cpu && o.no_winograd)
    return report(input_error("programs for the CPU have no tiled kernels, so --no-winograd says nothing about them"));
  if (target == codegen::host::Target::Cpu && !o.without.empty())
    return report(input_error("programs for the CPU have no stages, so --without says nothing about them"));
  namespace fs = std::filesystem;
  if (o.output.empty()) o.output = fs::path(o.input).replace_extension().string();
  if (o.output.starts_with('-')) o.output = "./" + o.output;
  std::error_code ignored;
  if (fs::equivalent(o.output, o.input, ignored))
    return report(input_error("the executable would overwrite the program " + o.input + "; use another name with -o"));

  Stages stages(o.verbose);
  Result<std::string> text = stages.run("front end and extraction", [&] { return load_text(o.input, o.host); });
  if (!text) return report(text.error());
  Result<seg::Program> program = stages.run("read and verify", [&] { return read_program(*text, o.input); });
  if (!program) return report(program.error());
  if (o.host.warnings) {
    const bool any = std::ranges::any_of(program->functions, [](const seg::FunDef& f) { return f.entry.has_value(); });
    if (!any && !o.library && o.mode == codegen::host::Mode::Executable) {
      fmt::print(
          stderr,
          "heddle: warning: {} has no entry points, so what is made of it does nothing; 'entry' in place of 'def' "
          "makes one of a function\n",
          o.input);
    }
    const std::vector<std::string> warnings = futhark::generator_warnings(*program);
    if (!warnings.empty()) fmt::print(stderr, "{}\n", fmt::join(warnings, "\n\n"));
    if (o.host.werror && !warnings.empty()) {
      fmt::print(stderr, "Treating above warnings as errors due to --Werror.\n");
      return futhark::kRejected;
    }
  }
  KernelOptions kernel_options;
  kernel_options.dump_folder = o.dump_passes;
  kernel_options.until = o.until;
  if (o.fusion) kernel_options.plan.fusion = *o.fusion;
  kernel_options.plan.time_tile = o.time_tile;
  for (const stencil::Part* p : o.without) p->leave_out(kernel_options.plan.models);
  if (o.tile_scope) kernel_options.plan.models.fit.scope = *o.tile_scope;
  if (o.register_fraction) kernel_options.plan.models.fit.hybrid.in_registers = *o.register_fraction;
  if (o.nested) kernel_options.plan.models.nesting = *o.nested;
  if (o.no_winograd) kernel_options.plan.products = lower::Products::AsWritten;
  if (target == codegen::host::Target::Cuda) kernel_options.for_blocks();
  kernel_options.verify = kVerifyPasses || !o.dump_passes.empty();
  Result<lower::PlannedProgram> lowered =
      stages.run("rewrite and lower", [&] { return compile_kernels(*program, kernel_options); });
  if (!lowered) return report(lowered.error());
  Result<heddle::host::Program> on_host = stages.run(
      "plan the host", [&] { return host_program(*lowered, {target == codegen::host::Target::Cuda}, kernel_options); });
  if (!on_host) return report(on_host.error());
  std::string program_name = fs::path(o.output).filename().string();
  if (o.library) {
    Result<codegen::host::Library> library = stages.run(
        "generate code", [&] { return codegen::host::generate_library(*on_host, target, program_name, kVersion); });
    if (!library) return report(library.error());
    Result<std::monostate> written = write_files({{o.output + ".c", library->c_text},
                                                  {o.output + ".h", library->header},
                                                  {o.output + ".json", library->manifest}});
    return written ? 0 : report(written.error());
  }
  Result<std::string> c_text = stages.run("generate code", [&] {
    return Result<std::string>(codegen::host::generate(*on_host, {target, o.mode, program_name}));
  });
  Result<std::monostate> built = stages.run("C compiler", [&] { return build_executable(*c_text, target, o.output); });
  return built ? 0 : report(built.error());
}

}  // namespace heddle::cli
