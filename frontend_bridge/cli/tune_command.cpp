#include "frontend_bridge/cli/tune_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/options_of.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/cli/temporary_folder.h"
#include "frontend_bridge/cli/tunable.h"
#include "frontend_bridge/cli/tune_page.h"
#include "frontend_bridge/cli/tune_plot.h"
#include "frontend_bridge/cli/tune_report.h"
#include "frontend_bridge/cli/write_files.h"
#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/pipeline.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct TuneOptions {
  std::string program;
  std::string backend = "cuda";
  int runs = 10;
  int timeout = 600;
  bool skip_compilation = false;
  std::string extension = "tuning_heddle";
  std::vector<std::string> pass_options;
  std::vector<std::string> pass_compiler_options;
  std::string spec_file;
  std::string html;
  std::string futhark = futhark_path();
  int verbose = 0;
};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The commands that read datasets and drive the program are Futhark's own, which know all kinds of datasets; what is
// found with them is the same as what `futhark bench` finds with the tuning file.
class Tuner {
 public:
  Tuner(TuneOptions options, std::string heddle, std::string folder)
      : o_(std::move(options)),
        heddle_(std::move(heddle)),
        folder_(std::move(folder)),
        executable_(fs::path(o_.program).replace_extension().string()),
        tuning_file_(o_.program + "." + o_.extension) {
    if (!executable_.starts_with('/')) executable_ = "./" + executable_;
  }

  Result<std::monostate> run() {
    Result<bool> worthwhile = has_something_to_tune();
    if (!worthwhile) return worthwhile.error();
    if (!*worthwhile) {
      fmt::print("There is nothing to tune in {}: it has no thresholds{}. No file is written.\n", o_.program,
                 o_.backend == "cuda" ? ", nor contractions to tile" : ", and on the CPU nothing is tiled");
      return std::monostate{};
    }
    say("{} {} and running it without tuning ...", o_.skip_compilation ? "Taking" : "Compiling", o_.program);
    Result<Runtimes> before = bench({"--no-tuning"}, o_.skip_compilation);
    if (!before) return before.error();
    if (before->empty()) {
      return input_error(
          fmt::format("{} has no datasets to tune for; it needs a comment such as\n-- ==\n-- random "
                      "input {{ [1000]f32 }}",
                      o_.program));
    }
    if (!write_empty_tuning())
      return input_error(fmt::format("cannot write {}: {}", tuning_file_, std::strerror(errno)));
    Result<std::monostate> step = tune_thresholds(static_cast<int>(before->size()));
    if (!step) return step;
    step = tune_tilings();
    if (!step) return step;
    say("Running it with {} ...", tuning_file_);
    Result<Runtimes> after = bench({"--tuning=" + o_.extension}, true);
    if (!after) return after.error();
    return tell(*before, *after);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) const {
    fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
  }

  Result<std::monostate> tell(const Runtimes& before, const Runtimes& after) const {
    Result<std::vector<TriedTilings>> tilings = read_tried(content_of(record()));
    if (!tilings) return tilings.error();
    TuningContent content = read_tuning(content_of(tuning_file_));
    for (const TriedTilings& t : *tilings) fmt::print("{}\n", plot(t));
    fmt::print("{}Wrote {}: {} thresholds, {} tilings.\n", compare_runtimes(before, after), tuning_file_,
               content.thresholds.size(), content.tilings);
    if (o_.html.empty()) return std::monostate{};
    const Tuned tuned{o_.program, tuning_file_, std::move(content.thresholds), before, after, std::move(*tilings)};
    return write_files({{o_.html, tune_page_html(tuned)}});
  }

  // Of all tilings that were measured.
  std::string record() const { return folder_ + "/tilings.json"; }

  Result<bool> has_something_to_tune() const {
    HostOptions options;
    options.futhark = o_.futhark;
    options.warnings = false;
    const std::string entry_point = "--entry-point=";
    for (const std::string& p : o_.pass_compiler_options) {
      if (p.starts_with(entry_point)) options.entry_points.push_back(p.substr(entry_point.size()));
    }
    Result<seg::Program> program = load_program(o_.program, options);
    if (!program) return program.error();
    Result<lower::PlannedProgram> lowered = compile_kernels(*program, kVerifyPasses);
    if (!lowered) return lowered.error();
    Result<host::Program> on_host = host_program(*lowered, {o_.backend == "cuda"});
    if (!on_host) return on_host.error();
    return cli::has_something_to_tune(*on_host);
  }

  // Nothing of an earlier tuning stays.
  bool write_empty_tuning() const {
    std::ofstream file(tuning_file_);
    file << "-- made by heddle tune\n";
    return static_cast<bool>(file.flush());
  }

  std::vector<std::string> common_words(const std::string& tool) const {
    std::vector<std::string> words = {o_.futhark, tool, "--futhark=" + heddle_};
    for (const std::string& p : o_.pass_options) words.push_back("--pass-option=" + p);
    if (!o_.spec_file.empty()) words.push_back("--spec-file=" + o_.spec_file);
    return words;
  }

  Result<Output> run_tool(std::vector<std::string> words, const std::function<void(std::string_view)>& on_line = {}) {
    words.push_back(o_.program.starts_with('-') ? "./" + o_.program : o_.program);
    if (o_.verbose > 1) say("{}", fmt::join(words, " "));
    Output out = run_command(words, [&](std::string_view line) {
      if (o_.verbose > 0) say("  {}", line);
      if (on_line) on_line(line);
    });
    if (out.status == kCannotStart)
      return input_error("cannot run " + o_.futhark +
                         ": heddle needs Futhark " HEDDLE_FUTHARK_VERSION ", on PATH or named by --futhark");
    if (out.status != 0) {
      return input_error(fmt::format("futhark {} failed on {}{}", words[1], o_.program,
                                     o_.verbose > 0 ? "" : ", saying:\n" + out.text));
    }
    return out;
  }

  Result<Runtimes> bench(const std::vector<std::string>& more, bool skip_compilation) {
    std::vector<std::string> words = common_words("bench");
    std::string json = folder_ + "/times.json";
    words.insert(words.end(), {"--backend=" + o_.backend, fmt::format("--runs={}", o_.runs), "--no-convergence-phase",
                               "--exclude-case=notune", "--json=" + json});
    // Kernels are compiled while the program warms up. First, so that the user's own wins.
    if (o_.backend == "cuda") words.insert(words.begin() + 2, "--pass-option=--specialize-after=0");
    if (o_.timeout > 0) words.push_back(fmt::format("--timeout={}", o_.timeout));
    if (skip_compilation) words.emplace_back("--skip-compilation");
    for (const std::string& p : o_.pass_compiler_options) words.push_back("--pass-compiler-option=" + p);
    words.insert(words.end(), more.begin(), more.end());
    Result<Output> out = run_tool(words);
    if (!out) return out.error();
    return fs::exists(json) ? read_runtimes(content_of(json)) : Runtimes{};
  }

  // By `futhark autotune`, which takes a name of its own backends only but is told not to compile.
  Result<std::monostate> tune_thresholds(int num_datasets) {
    Output params = run_command({executable_, "--print-params"});
    int thresholds = params.status == 0 ? count_thresholds(params.text) : 0;
    if (thresholds == 0) {
      say("It has no thresholds.");
      return std::monostate{};
    }
    std::vector<std::string> words = common_words("autotune");
    words.insert(words.end(), {"--backend=cuda", "--skip-compilation", "--tuning=" + o_.extension,
                               fmt::format("--runs={}", o_.runs), fmt::format("--timeout={}", o_.timeout)});
    int done = 0;
    bool overwrite = isatty(STDERR_FILENO) == 1;
    Result<Output> out = run_tool(words, [&](std::string_view line) {
      if (!line.starts_with("Tuning ")) return;
      fmt::print(stderr, "{}Thresholds: {} of {}: {}{}", overwrite ? "\r\033[K" : "", ++done, thresholds * num_datasets,
                 line.substr(7), overwrite ? "" : "\n");
    });
    if (overwrite && done > 0) say("");
    return out ? Result<std::monostate>(std::monostate{}) : out.error();
  }

  // The program itself measures, and tells on a copy of our standard error, since the tool keeps the program's own.
  Result<std::monostate> tune_tilings() {
    if (o_.backend != "cuda") return std::monostate{};
    say("Tilings of contractions:");
    int progress = dup(STDERR_FILENO);
    std::vector<std::string> words = common_words("bench");
    words.insert(
        words.end(),
        {"--backend=" + o_.backend, "--runs=1", "--no-convergence-phase", "--exclude-case=notune", "--skip-compilation",
         "--no-tuning", "--pass-option=--tuning=" + tuning_file_, "--pass-option=--tune-tilings=" + tuning_file_,
         fmt::format("--pass-option=--tune-runs={}", o_.runs),
         fmt::format("--pass-option=--tune-seconds={}", o_.timeout),
         fmt::format("--pass-option=--tune-progress={}", progress), "--pass-option=--tune-record=" + record()});
    Result<Output> out = run_tool(words);
    close(progress);
    return out ? Result<std::monostate>(std::monostate{}) : out.error();
  }

  TuneOptions o_;
  std::string heddle_;
  std::string folder_;
  std::string executable_, tuning_file_;
};

int tune(const TuneOptions& o) {
  std::error_code problem;
  if (!fs::is_regular_file(o.program, problem)) return report(input_error("there is no program " + o.program));
  Result<std::string> self = own_path();
  if (!self) return report(self.error());
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return report(folder.error());
  Result<std::monostate> done = Tuner(o, *self, folder->path()).run();
  return done ? 0 : report(done.error());
}

void declare(CLI::App& app, TuneOptions& o) {
  app.add_option("PROGRAM", o.program, "a .fut file")->required();
  app.add_option("--backend", o.backend, "cuda or cpu; only with cuda there are tilings (default: cuda)")
      ->check(CLI::IsMember({"cuda", "cpu"}));
  app.add_option("-r,--runs", o.runs, "run each dataset, and each tiling, so often (default: 10)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--timeout", o.timeout,
                 "seconds for a dataset, and after which the search for a contraction ends (default: 600)")
      ->check(CLI::Range(1, 1 << 20));
  app.add_flag("--skip-compilation", o.skip_compilation, "use the server that is already there");
  app.add_option("--tuning", o.extension, "the ending of the file that is written (default: tuning_heddle)");
  // An option's value, even where it looks like an option itself.
  app.add_option("-p,--pass-option", o.pass_options, "an option for the program when it runs")->allow_extra_args(false);
  app.add_option("--pass-compiler-option", o.pass_compiler_options, "an option for compiling")->allow_extra_args(false);
  app.add_option("--spec-file", o.spec_file, "take datasets from this file instead");
  app.add_option("--html", o.html, "write a page for a browser that draws what was tried");
  app.add_option("--futhark", o.futhark, "the real futhark");
  app.add_flag("-v,--verbose", o.verbose, "print what Futhark's tools say; twice: and how they are called");
}

}  // namespace

std::vector<OptionInfo> tune_options() {
  CLI::App app;
  TuneOptions o;
  declare(app, o);
  return options_of(app);
}

int tune_command(int argc, char** argv) {
  CLI::App app(
      "Finds thresholds and tilings that suit the datasets in a program's comments, by measuring, and writes them to "
      "PROGRAM.tuning_heddle, which programs made by heddle read (--tuning), and `futhark bench "
      "--tuning=tuning_heddle` finds.",
      "heddle tune");
  TuneOptions o;
  declare(app, o);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    return report(input_error(fmt::format("{}; try 'heddle tune --help'", e.what())));
  }
  return tune(o);
}

}  // namespace heddle::cli
