// Random functions over maps, reductions, scans, histograms, accumulators and updates in place, compiled by heddle and by
// `futhark c`, run on the same inputs and compared.
//
// A case is one function on one draw of sizes and inputs, in one way: "cpu" is the program of `heddle cpu`, "cuda" that of
// `heddle cuda` on whatever CUDA driver --gpu-libraries leads to, with thresholds that take versions of nests at random, and
// with blocks and grids of several sizes. What differs is made smaller for as long as it differs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/campaign/compare.h"
#include "tests/campaign/general/function.h"
#include "tests/runtime_io/process.h"

namespace fs = std::filesystem;
using namespace heddle::campaign;

namespace {

struct Options {
  std::string heddle, futhark, gpu_libraries, work = "general-work";
  uint64_t seed = 1;
  int64_t programs = 1, first = 0, entries = 20, sizes = 4, ways = 3, seconds = 0;
  std::string only;  // an entry
  bool shrink = true;
};

struct Count {
  int64_t functions = 0, cases = 0, failing = 0, rejected = 0, refused = 0, findings = 0;
};

// How a program is run.
struct Way {
  std::string form;  // cpu, cuda
  std::vector<std::string> arguments, environment;
  std::string text() const {
    return fmt::format("{} {} {}", fmt::join(environment, " "), form, fmt::join(arguments, " "));
  }
};

// The programs that three compilers made of some functions.
class Compiled {
 public:
  Compiled(const Options& options, fs::path folder) : options_(options), folder_(std::move(folder)) {
    fs::create_directories(folder_ / "gpu");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  struct Failure {
    bool by_heddle = false, refused = false;  // refused: heddle says that it cannot do this yet
    std::string form, message;
  };

  // Nothing if all went well. Each function is a line.
  std::optional<Failure> compile(const std::vector<Function>& functions, const std::string& only_form = "") {
    write(functions);
    // It takes minutes for some.
    ProcessResult ir = run({"/usr/bin/timeout", "20", options_.futhark, "dev", "-w", "-s", "--extract-kernels", "-e",
                            path("program.fut")});
    if (ir.exit_code != 0) return Failure{false, false, "", ir.err};
    std::ofstream(path("program.fut_gpu")) << ir.out;
    for (const char* form : {"cpu", "cuda"}) {
      if (!only_form.empty() && only_form != form) continue;
      ProcessResult made = run({options_.heddle, form, "--server", path("program.fut_gpu"), "-o", path(form)});
      if (made.exit_code != 0)
        return Failure{true, made.exit_code == 3, form, fmt::format("exit code {}: {}", made.exit_code, made.err)};
    }
    ProcessResult c = run({"/usr/bin/timeout", "60", options_.futhark, "c", "-w", "--server", path("program.fut"), "-o",
                           path("reference")});
    if (c.exit_code != 0) return Failure{false, false, "", c.err};
    return std::nullopt;
  }

  // In the source, the line of the first function.
  static size_t first_line() { return 1 + static_cast<size_t>(std::ranges::count(general_prelude(), '\n')); }

  std::vector<Way> ways(Random& random, int64_t num) const {
    std::vector<Way> all = {{"cpu", {}, {fmt::format("HEDDLE_THREADS={}", random.between(1, 3))}}};
    static const std::vector<std::string> blocks = {"32", "64", "256", "1024"}, grids = {"1", "2", "7"};
    const std::vector<std::string> names = thresholds();
    for (int64_t w = 0; w < num; ++w) {
      Way way{"cuda", {}, {}};
      if (w > 0 && random.percent(70)) way.arguments.emplace_back("--default-thread-block-size=" + random.pick(blocks));
      if (w > 0 && random.percent(50)) way.arguments.emplace_back("--default-grid-size=" + random.pick(grids));
      if (random.percent(50)) way.arguments.emplace_back("--specialize-after=0");
      // The first takes what the model says, the others versions at random.
      const int64_t high = w == 0 ? -1 : random.pick(std::vector<int64_t>{0, 30, 60, 100});
      for (const std::string& name : names) {
        if (high < 0) break;
        way.arguments.emplace_back("--param");
        way.arguments.push_back(fmt::format("{}={}", name, random.percent(high) ? 1'000'000'000 : 0));
      }
      if (options_.gpu_libraries != "installed") {
        way.environment = {"LD_LIBRARY_PATH=" + options_.gpu_libraries, "CPU_AS_GPU_FOLDER=" + path("gpu"),
                           fmt::format("CPU_AS_GPU_DEVICE={}", random.below(3)), "XDG_CACHE_HOME=" + path("gpu")};
      }
      all.push_back(std::move(way));
    }
    return all;
  }

 private:
  static ProcessResult run(const std::vector<std::string>& command) { return run_process(command, ""); }

  void write(const std::vector<Function>& functions) const {
    std::ofstream out(path("program.fut"));
    out << general_prelude();
    for (const Function& f : functions) out << entry(f).text << "\n";
  }

  std::vector<std::string> thresholds() const {
    std::vector<std::string> names;
    std::istringstream lines(run({path("cpu"), "--print-params"}).out);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("(threshold") != std::string::npos) names.push_back(line.substr(0, line.find(' ')));
    }
    return names;
  }

  const Options& options_;
  fs::path folder_;
};

// Whether both fail counts, not in which words: which of several checks fails first may differ.
std::optional<std::string> differ(const Outcome& expected, const Outcome& got) {
  if (expected.kind == Answer::Failure && got.kind == Answer::Failure) return std::nullopt;
  return difference(expected, got);
}

class Program {
 public:
  Program(const Options& options, int64_t number)
      : options_(options),
        number_(number),
        random_(options.seed * 1'000'003 + static_cast<uint64_t>(number)),
        folder_(fs::absolute(options.work) / fmt::format("{}-{}", options.seed, number)) {}

  Count run() {
    fs::remove_all(folder_);
    for (int64_t i = 0; i < options_.entries; ++i) {
      Function f = draw_function(random_, fmt::format("e{}", i));
      if (options_.only.empty() || options_.only == f.name) functions_.push_back(std::move(f));
    }
    Compiled compiled(options_, folder_);
    if (compile(compiled)) compare(compiled);
    if (count_.findings == 0) fs::remove_all(folder_);
    return count_;
  }

 private:
  // One function that cannot be compiled must not keep the others from being tested.
  bool compile(Compiled& compiled) {
    for (;;) {
      if (functions_.empty()) return false;
      std::optional<Compiled::Failure> failure = compiled.compile(functions_);
      if (!failure) break;
      const size_t bad = failure->by_heddle ? refused(*failure) : rejected(failure->message);
      if (bad >= functions_.size() && failure->by_heddle) {
        finding(fmt::format("{}, only together: {}", failure->form, failure->message));
        return false;
      }
      if (bad >= functions_.size()) {
        // Together they take Futhark too long.
        count_.rejected += static_cast<int64_t>((functions_.size() + 1) / 2);
        functions_.resize(functions_.size() / 2);
        continue;
      }
      count_.rejected += failure->by_heddle ? 0 : 1;
      functions_.erase(functions_.begin() + static_cast<long>(bad));
    }
    count_.functions = static_cast<int64_t>(functions_.size());
    return true;
  }

  // The function that Futhark's message is about: it breaks a rule of the language, or Futhark itself.
  size_t rejected(const std::string& message) const {
    const size_t at_error = message.find("Error at"), at_line = message.find(".fut:", at_error);
    if (at_error != std::string::npos && at_line != std::string::npos)
      return static_cast<size_t>(std::atoi(message.c_str() + at_line + 5)) - Compiled::first_line();
    for (size_t i = 0; i < functions_.size(); ++i) {
      std::optional<Compiled::Failure> alone = Compiled(options_, folder_ / "small").compile({functions_[i]}, "none");
      if (alone) return i;
    }
    return functions_.size();
  }

  size_t refused(const Compiled::Failure& failure) {
    auto holds = [&](const Function& f) {
      std::optional<Compiled::Failure> alone = Compiled(options_, folder_ / "small").compile({f}, failure.form);
      return alone && alone->by_heddle && alone->refused == failure.refused ? alone->message : "";
    };
    for (size_t i = 0; i < functions_.size(); ++i) {
      std::string message = holds(functions_[i]);
      if (message.empty()) continue;
      if (failure.refused) {
        ++count_.refused;
        return i;
      }
      const Function least = shrunk(functions_[i], [&](const Function& f) { return !holds(f).empty(); });
      finding(fmt::format("{}, {}: {}\n{}", functions_[i].name, failure.form, holds(least), entry(least).text));
      return i;
    }
    return functions_.size();
  }

  void compare(const Compiled& compiled) {
    // What takes it longer is left out: a loop of many steps around what copies much.
    constexpr int kMostSeconds = 5;
    Server reference({compiled.path("reference")}, {}, compiled.path("reference.log"), kMostSeconds);
    std::vector<Way> ways = compiled.ways(random_, options_.gpu_libraries.empty() ? 0 : options_.ways);
    std::vector<std::unique_ptr<Server>> servers;
    for (const Way& w : ways) servers.push_back(server(compiled, w));
    for (const Function& f : functions_) {
      const Entry e = entry(f);
      std::vector<bool> differed(ways.size());
      for (int64_t k = 0; k < options_.sizes; ++k) {
        const Values sizes = draw_sizes(random_, f);
        const auto seed = static_cast<uint64_t>(random_.below(1'000'000));
        Random random(seed);
        std::ofstream(compiled.path("inputs"), std::ios::binary) << draw_inputs(random, e, sizes);
        const Outcome expected = call(reference, e, compiled.path("inputs"), compiled.path("value"));
        if (expected.kind == Answer::Dead) continue;
        for (size_t w = 0; w < ways.size(); ++w) {
          if (differed[w]) continue;
          ++count_.cases;
          count_.failing += expected.kind == Answer::Failure;
          auto how = differ(expected, call(*servers[w], e, compiled.path("inputs"), compiled.path("value")));
          if (!how) continue;
          differed[w] = true;
          different(f, sizes, seed, ways[w], *how);
        }
      }
    }
  }

  static std::unique_ptr<Server> server(const Compiled& compiled, const Way& way) {
    std::vector<std::string> command = {compiled.path(way.form)};
    command.insert(command.end(), way.arguments.begin(), way.arguments.end());
    return std::make_unique<Server>(command, way.environment, compiled.path(way.form + ".log"));
  }

  void different(const Function& f, Values sizes, uint64_t seed, const Way& way, const std::string& how) {
    std::string last;
    Way last_way = way;
    auto holds_with = [&](const Function& g, const Values& with) {
      Compiled small(options_, folder_ / "small");
      if (small.compile({g})) return false;
      const Entry e = entry(g);
      Random random(seed);
      std::ofstream(small.path("inputs"), std::ios::binary) << draw_inputs(random, e, with);
      Server reference({small.path("reference")}, {}, small.path("reference.log"));
      const Outcome expected = call(reference, e, small.path("inputs"), small.path("value"));
      if (expected.kind == Answer::Dead) return false;
      // Thresholds have other names in another program, so some ways are tried.
      Random again(seed);
      for (const Way& w : small.ways(again, way.form == "cuda" ? 6 : 0)) {
        if (w.form != way.form) continue;
        auto difference = differ(expected, call(*server(small, w), e, small.path("inputs"), small.path("value")));
        if (!difference) continue;
        last = *difference;
        last_way = w;
        return true;
      }
      return false;
    };
    const Function least = shrunk(f, [&](const Function& g) { return holds_with(g, sizes); });
    for (auto& [name, n] : sizes) {
      for (int64_t less : {int64_t{0}, int64_t{1}, int64_t{2}, n / 4, n / 2, n - 1}) {
        if (!options_.shrink || less >= n || less < 0) continue;
        const int64_t before = std::exchange(n, less);
        if (holds_with(least, sizes)) break;
        n = before;
      }
    }
    const bool alone = options_.shrink && holds_with(least, sizes);
    std::string numbers;
    for (const auto& [name, n] : sizes) numbers += fmt::format(" {}={}", name, n);
    // The inputs stay beside the program.
    Random random(seed);
    const std::string inputs = (folder_ / fmt::format("inputs-{}-{}", f.name, count_.findings)).string();
    std::ofstream(inputs, std::ios::binary) << draw_inputs(random, entry(least), sizes);
    finding(fmt::format("{}, {}:{}, inputs {}: {}\n{}", f.name, alone ? last_way.text() : way.text(), numbers, inputs,
                        alone ? last : how + " (not alone)", entry(least).text));
  }

  template <class Holds>
  Function shrunk(Function f, Holds holds) const {
    if (!options_.shrink || !holds(f)) return f;
    int attempts = 200;
    for (bool changed = true; changed;) {
      changed = false;
      for (Function& less : smaller(f)) {
        if (attempts-- == 0) return f;
        if (!holds(less)) continue;
        f = std::move(less);
        changed = true;
        break;
      }
    }
    return f;
  }

  void finding(const std::string& what) {
    ++count_.findings;
    fmt::print("program {}: {}\n", number_, what);
    std::fflush(stdout);
  }

  const Options& options_;
  int64_t number_;
  Random random_;
  fs::path folder_;
  std::vector<Function> functions_;
  Count count_;
};

std::string to_text(const Count& c) {
  return fmt::format(
      "{} functions ({} more Futhark rejects, {} heddle cannot do yet), {} cases ({} fail as they must), {} findings",
      c.functions, c.rejected, c.refused, c.cases, c.failing, c.findings);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares what heddle and `futhark c` make of random functions.");
  Options o;
  app.add_option("--heddle", o.heddle, "the heddle to test");
  app.add_option("--futhark", o.futhark, "the futhark to compare with");
  app.add_option("--gpu-libraries", o.gpu_libraries, "folder of the CUDA libraries; `installed` for the machine's own");
  app.add_option("--work", o.work, "folder for programs; those with findings stay there");
  app.add_option("--seed", o.seed, "of all random choices");
  app.add_option("--programs", o.programs, "how many");
  app.add_option("--first", o.first, "number of the first program");
  app.add_option("--entries", o.entries, "functions of a program");
  app.add_option("--sizes", o.sizes, "draws of sizes and inputs for a function");
  app.add_option("--ways", o.ways, "ways to run the program for the GPU");
  app.add_option("--seconds", o.seconds, "begin no further program after so many");
  app.add_option("--only", o.only, "test only this function");
  app.add_flag("!--no-shrink", o.shrink, "leave what differs as it is");
  CLI11_PARSE(app, argc, argv);
  if (o.futhark.empty() || !fs::exists(o.futhark)) {
    fmt::print("there is no Futhark compiler\n");
    return std::getenv("HEDDLE_TESTS_NEED_ALL") != nullptr ? 1 : 77;  // as tests/need.h says
  }
  setenv("LC_ALL", "C.UTF-8", 1);
  fs::create_directories(o.work);
  Count all;
  auto start = std::chrono::steady_clock::now();
  for (int64_t p = o.first; p < o.first + o.programs; ++p) {
    std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
    if (o.seconds > 0 && gone.count() > static_cast<double>(o.seconds)) break;
    Count c = Program(o, p).run();
    for (auto member :
         {&Count::functions, &Count::cases, &Count::failing, &Count::rejected, &Count::refused, &Count::findings})
      all.*member += c.*member;
    fmt::print("program {}: {}\n", p, to_text(c));
    std::fflush(stdout);
  }
  fmt::print("seed {}: {}\n", o.seed, to_text(all));
  return all.findings > 0 ? 1 : 0;
}
