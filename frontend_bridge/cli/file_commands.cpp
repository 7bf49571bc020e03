#include "frontend_bridge/cli/file_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "codegen/cuda/kernel_text.h"
#include "codegen/host/generate.h"
#include "frontend_bridge/cli/c_compiler.h"
#include "frontend_bridge/cli/deliver.h"
#include "frontend_bridge/cli/explain_page.h"
#include "frontend_bridge/cli/explain_plan.h"
#include "frontend_bridge/cli/explain_steps.h"
#include "frontend_bridge/cli/explain_tilings.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/options_of.h"
#include "frontend_bridge/cli/progress.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/cli/temporary_folder.h"
#include "frontend_bridge/explain/explain.h"
#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/kernel_listing.h"
#include "frontend_bridge/pipeline.h"
#include "ir/host/printer.h"
#include "ir/nest/printer.h"
#include "ir/seg/printer.h"
#include "rewrites/stencil/time_tile.h"

namespace heddle::cli {

namespace {

struct FileOptions {
  std::string file;
  std::string emit = "cuda";
  std::string output;
  std::string entry = "main";
  std::string dump_passes;
  std::string until;
  std::string fusion;
  std::string tile_scope;
  std::optional<double> register_fraction;
  std::string nested;
  bool no_winograd = false;
  std::vector<std::string> without;
  std::optional<int64_t> time_tile;
  bool json = false;
  bool passes = false;
  bool steps = false;
  bool plan = false;
  bool dot = false;
  std::string html;
  std::string profile;
  bool binary = false;
  std::vector<int64_t> tile;
  TilingsOptions tilings;
};

HostOptions host_options() {
  HostOptions o;
  o.futhark = futhark_path();
  return o;
}

Result<seg::Program> load(const FileOptions& o) {
  return during("front end and extraction", [&] { return load_program(o.file, host_options()); });
}

Result<lower::PlannedProgram> lower_kernels(const seg::Program& program, const KernelOptions& options) {
  return during("rewrite and lower", [&] { return compile_kernels(program, options); });
}

int check(const FileOptions& o) {
  Result<seg::Program> program = load_as_written(o.file, host_options());
  return program ? 0 : report(program.error());
}

int print(const FileOptions& o) {
  Result<seg::Program> program = load_as_written(o.file, host_options());
  return program ? deliver(seg::print(*program), o.output) : report(program.error());
}

// For a GPU.
KernelOptions kernel_options(const FileOptions& o) {
  KernelOptions k;
  k.dump_folder = o.dump_passes;
  k.until = o.until;
  k.for_blocks();
  if (auto strategy = stencil::find_strategy(o.fusion)) k.plan.fusion = *strategy;
  k.plan.time_tile = o.time_tile;
  for (const std::string& part : o.without) stencil::find_part(part)->leave_out(k.plan.models);
  if (auto scope = stencil::find_tile_scope(o.tile_scope)) k.plan.models.fit.scope = *scope;
  if (o.register_fraction) k.plan.models.fit.hybrid.in_registers = *o.register_fraction;
  if (auto nesting = stencil::find_nesting(o.nested)) k.plan.models.nesting = *nesting;
  if (o.no_winograd) k.plan.products = lower::Products::AsWritten;
  // Whoever looks at passes wants to know of a broken one, in a release build, too.
  k.verify = kVerifyPasses || !o.dump_passes.empty();
  return k;
}

int compile(const FileOptions& o) {
  Result<seg::Program> program = load(o);
  if (!program) return report(program.error());
  Result<lower::PlannedProgram> lowered = lower_kernels(*program, kernel_options(o));
  if (!lowered) return report(lowered.error());
  if (o.emit == "seg") return deliver(seg::print(lowered->program), o.output);
  if (o.emit == "nest") {
    return deliver(kernel_listing(*lowered, "-- ", [](const nest::Kernel& k) { return nest::to_text(k); }), o.output);
  }
  if (o.emit == "cuda") {
    return deliver(kernel_listing(*lowered, "// ", [](const nest::Kernel& k) { return codegen::kernel_text(k); }),
                   o.output);
  }
  Result<host::Program> on_host = host_program(*lowered, {true}, kernel_options(o));
  if (!on_host) return report(on_host.error());
  if (o.emit == "host-ir") return deliver(host::to_text(*on_host), o.output);
  using namespace codegen::host;
  return deliver(generate(*on_host, {Target::Cuda, Mode::Executable, std::filesystem::path(o.file).stem()}), o.output);
}

int explain(const FileOptions& o) {
  Result<seg::Program> program = load(o);
  if (!program) return report(program.error());
  std::string text;
  KernelOptions options = kernel_options(o);
  if (o.passes) {
    options.watch = [&](const SegPass& pass, const seg::Program&, const seg::Program& after) -> std::optional<Error> {
      text += fmt::format("-- after {} ({})\n{}\n", pass.name, pass.description, seg::print(after));
      return std::nullopt;
    };
  }
  Result<lower::PlannedProgram> lowered = lower_kernels(*program, options);
  if (!lowered) return report(lowered.error());
  if (!o.html.empty()) {
    Result<std::string> page =
        page_html(*lowered, {std::filesystem::path(o.file).filename().string(), o.profile, o.tilings});
    return page ? deliver(*page, o.html) : report(page.error());
  }
  if (o.steps) {
    Result<std::string> steps = o.json ? steps_json(*lowered) : steps_text(*lowered);
    return steps ? deliver(text + *steps, o.output) : report(steps.error());
  }
  if (o.plan || o.dot) return deliver(text + (o.dot ? plan_dot(*lowered) : plan_text(*lowered, o.tile)), o.output);
  if (!o.tilings.sizes.empty()) {
    Result<std::string> tilings = tilings_text(*lowered, o.tilings);
    return tilings ? deliver(text + *tilings, o.output) : report(tilings.error());
  }
  text += o.json ? explain_json(*lowered) : explain_text(*lowered);
  return deliver(text, o.output);
}

// Compiles into a folder of its own, which is gone when the program has ended.
int run(const FileOptions& o) {
  Result<seg::Program> program = load(o);
  if (!program) return report(program.error());
  const KernelOptions for_processors;
  Result<lower::PlannedProgram> lowered = lower_kernels(*program, for_processors);
  if (!lowered) return report(lowered.error());
  Result<host::Program> on_host = host_program(*lowered, {false}, for_processors);
  if (!on_host) return report(on_host.error());
  using namespace codegen::host;
  std::string name = std::filesystem::path(o.file).stem();
  std::string text = generate(*on_host, {Target::Cpu, Mode::Executable, name});
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return report(folder.error());
  std::string executable = folder->path() + "/program";
  Result<std::monostate> built = during("C compiler", [&] { return build_executable(text, Target::Cpu, executable); });
  if (!built) return report(built.error());
  std::vector<std::string> words = {name, "-e", o.entry};
  if (o.binary) words.emplace_back("-b");
  int status = run_program(executable, words);
  return status == kCannotStart ? report(input_error("cannot start the compiled program " + executable)) : status;
}

void declare(CLI::App& app, FileOptions& o, int& code) {
  app.require_subcommand(1);
  auto command = [&](const char* name, const char* description, int (*action)(const FileOptions&)) {
    CLI::App* sub = app.add_subcommand(name, description);
    sub->add_option("FILE", o.file, "the program")->required();
    sub->callback([&code, &o, action] { code = action(o); });
    return sub;
  };
  auto may_dump = [&o](CLI::App* sub) {
    sub->add_option("--dump-passes", o.dump_passes,
                    "a folder for the program after each pass and the kernels, each in a file");
  };
  command("check", "read and verify; source text: type-check, as futhark check does", check);
  command("print", "read, verify, and write back in Futhark's syntax", print)->add_option("-o", o.output, "where to");
  CLI::App* compile_sub = command("compile", "print what the program is compiled to", compile);
  compile_sub
      ->add_option("--emit", o.emit,
                   "cuda: kernels; nest: kernels in outline; seg: IR; host-ir: what the host does; host: the C file")
      ->check(CLI::IsMember({"cuda", "nest", "seg", "host-ir", "host"}));
  compile_sub->add_option("-o", o.output, "where to");
  auto may_fuse = [&o](CLI::App* sub) {
    std::vector<std::string> names;
    for (const auto& s : stencil::kStrategies) names.emplace_back(s.name);
    sub->add_option("--fusion", o.fusion, "which stages of image pipelines become one kernel")
        ->check(CLI::IsMember(names));
    std::vector<std::string> scopes;
    for (const auto& s : stencil::kTileScopes) scopes.emplace_back(s.name);
    sub->add_option("--tile-scope", o.tile_scope,
                    "who computes a tile of fused stages, where its tile has room, or whether blocks stream or warps "
                    "walk down strips")
        ->check(CLI::IsMember(scopes));
    sub->add_option("--register-fraction", o.register_fraction, "how much of a hybrid tile a warp keeps in registers")
        ->check(CLI::Range(0.0, 1.0));
    std::vector<std::string> nestings;
    for (const auto& n : stencil::kNestings) nestings.emplace_back(n.name);
    sub->add_option("--nested", o.nested,
                    "whether threads compute stages of a kernel for themselves, where neighbours do not share them")
        ->check(CLI::IsMember(nestings));
    sub->add_flag("--no-winograd", o.no_winograd,
                  "compute windows of three steps by all their multiplications, also where fewer would be faster");
    std::vector<std::string> parts;
    for (const auto& p : stencil::kParts) parts.emplace_back(p.name);
    sub->add_option("--without", o.without, "what is left out, for measuring what it gains")
        ->allow_extra_args(false)
        ->check(CLI::IsMember(parts));
    sub->add_option("--time-tile", o.time_tile, "how many steps of an iterated stencil become one kernel")
        ->check(CLI::Range(int64_t{1}, stencil::kMostTimeSteps));
  };
  may_fuse(compile_sub);
  compile_sub->add_option("--until", o.until, "the last step of the derivation of tiled kernels (explain --steps)");
  may_dump(compile_sub);
  CLI::App* explain_sub = command("explain", "say how each parallel operation is compiled, and why", explain);
  may_dump(explain_sub);
  may_fuse(explain_sub);
  explain_sub->add_flag("--json", o.json, "as a JSON array");
  explain_sub->add_flag("--passes", o.passes, "print the program after each pass as well");
  explain_sub->add_flag(
      "--plan", o.plan,
      "instead, operations and the arrays between them, what each recipe proposed, and what was chosen");
  explain_sub->add_flag("--dot", o.dot, "the same as a graph for Graphviz");
  explain_sub->add_option("--html", o.html,
                          "a file for all of it as one page for a browser; with --tilings, these, too");
  explain_sub
      ->add_option("--profile", o.profile, "for --html: a file with what a program's profiling says, for its times")
      ->needs("--html");
  explain_sub->add_option("--tile", o.tile, "for --plan: what groups of stages need in tiles of this size, as in 8,512")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  explain_sub->add_flag("--steps", o.steps,
                        "instead, derive the tiled kernel of each contraction from its direct nest");
  explain_sub
      ->add_option("--tilings", o.tilings.sizes,
                   "instead, rank tilings of each contraction for these sizes, as in n=4096,k=5")
      ->delimiter(',')
      ->allow_extra_args(false);
  explain_sub->add_option("--device", o.tilings.device, "for --tilings: h100 or a100 (default: h100)")
      ->check(CLI::IsMember(known_devices()));
  explain_sub->add_option("--most", o.tilings.most, "for --tilings: how many of each (default: 5)")
      ->check(CLI::Range(1, 16));
  CLI::App* run_sub = command("run", "run an entry point on the CPU, with data from standard input", run);
  run_sub->add_option("--entry", o.entry, "the entry point (default: main)");
  run_sub->add_flag("-b", o.binary, "write binary data");
}

}  // namespace

std::vector<OptionInfo> file_command_options(const std::string& command) {
  CLI::App app;
  FileOptions o;
  int code = 0;
  declare(app, o, code);
  return options_of(*app.get_subcommand(command));
}

int file_command(int argc, char** argv) {
  CLI::App app("Looks into a Futhark program: a .fut, .fut_soacs or .fut_gpu file.", "heddle");
  FileOptions o;
  int code = 0;
  declare(app, o, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    return report(input_error(fmt::format("{}; try 'heddle {} --help'", e.what(), argv[1])));
  }
  return code;
}

}  // namespace heddle::cli
