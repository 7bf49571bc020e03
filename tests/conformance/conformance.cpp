// heddle_conformance: over dumps that the host compiler printed, the share that is read, verified, written back equal
// token for token, and accepted again by the host, or compiled to kernels that survive being written and read, with the
// reason for each failure.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <thread>

#include "codegen/host/generate.h"
#include "frontend_bridge/futhark/lexer.h"
#include "frontend_bridge/futhark/reader.h"
#include "frontend_bridge/pipeline.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"

namespace fs = std::filesystem;
using namespace heddle;

namespace {

using Failure = std::optional<std::string>;

struct Dump {
  fs::path file;
  std::string text;
  seg::Program program;
  std::string written;
  lower::PlannedProgram lowered;
  double read_seconds = 0;
};

struct Options {
  std::string host;
  fs::path scratch;
};

struct Step {
  const char* name;
  bool ends_checks;  // the later steps need this one
  std::function<Failure(Dump&, const Options&)> run;
};

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Failure read_dump(Dump& dump, const Options&) {
  auto start = std::chrono::steady_clock::now();
  auto result = futhark::read(dump.text, dump.file.filename().string());
  dump.read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!result) return first_line(result.error().message);
  dump.program = std::move(*result);
  return std::nullopt;
}

Failure verified(Dump& dump, const Options&) {
  std::vector<seg::Problem> problems = seg::verify(dump.program);
  if (problems.empty()) return std::nullopt;
  return fmt::format("line {}: {}", problems[0].line, first_line(problems[0].message));
}

Failure write_back(Dump& dump, const Options&) {
  dump.written = seg::print(dump.program);
  auto divergence = futhark::compare_tokens(dump.text, dump.written);
  if (!divergence) return std::nullopt;
  return fmt::format("line {}: `{}` was written as `{}`", divergence->left.line, divergence->left.text,
                     divergence->right.text);
}

struct Run {
  int status = -1;
  std::string output, errors;
};

// Runs a program with its output in files, since dumps are larger than pipes.
Run run(const std::vector<std::string>& command, const fs::path& scratch) {
  fs::path out = scratch.string() + ".out", err = scratch.string() + ".err";
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    int o = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int e = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(o, 1);
    dup2(e, 2);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  Run result;
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) result.status = WEXITSTATUS(status);
  result.output = slurp(out);
  result.errors = slurp(err);
  fs::remove(out);
  fs::remove(err);
  return result;
}

// The host drops the locations of assertions when it reads.
constexpr std::string_view kUnknownLocation = "unknown location";

std::optional<futhark::Divergence> compare_with_host(std::string_view ours, std::string_view hosts) {
  futhark::Lexer l(ours), r(hosts);
  while (true) {
    futhark::Token a = l.next(), b = r.next();
    bool location = a.kind == futhark::TokenKind::String && b.kind == a.kind && b.text == kUnknownLocation;
    if (a != b && !location) return futhark::Divergence{a, b};
    if (a.kind == futhark::TokenKind::End) return std::nullopt;
  }
}

// Without passes the host reads, checks and prints.
Failure accepted_by_host(Dump& dump, const Options& options) {
  static std::atomic<int> count = 0;
  fs::path file = options.scratch / fmt::format("{}{}", count++, dump.file.extension().string());
  std::ofstream(file, std::ios::binary) << dump.written;
  Run host = run({options.host, "dev", file.string()}, file);
  fs::remove(file);
  if (host.status != 0) return fmt::format("the host refuses it: {}", first_line(host.errors));
  auto divergence = compare_with_host(dump.written, host.output);
  if (!divergence) return std::nullopt;
  return fmt::format("the host read `{}` as `{}`", divergence->left.text, divergence->right.text);
}

// To a whole C program, with every pass and kernel verified.
Failure compiled(Dump& dump, const Options&) {
  auto why = [](const Error& e) {
    return (e.kind == ErrorKind::Internal ? "heddle is broken: " : "") + first_line(e.message);
  };
  Result<lower::PlannedProgram> lowered = compile_kernels(dump.program, true);
  if (!lowered) return why(lowered.error());
  dump.lowered = *lowered;
  using namespace codegen::host;
  KernelOptions verified;
  verified.verify = true;
  Result<heddle::host::Program> on_host = host_program(*lowered, {true}, verified);
  if (!on_host) return why(on_host.error());
  generate(*on_host, {Target::Cuda, Mode::Executable, dump.file.stem().string()});
  return std::nullopt;
}

// Every kernel, generic or tiled, is written as a text from which the same kernel is read.
Failure nests_read_back(Dump& dump, const Options&) {
  Failure failure;
  for (const auto& [stm, op] : dump.lowered.plans) {
    lower::for_each_launch(op, [&](const lower::Launch& l) {
      std::string text = nest::to_text(l.kernel);
      Result<nest::Kernel> again = nest::read_kernel(text, l.kernel.name);
      if (!again) {
        failure = first_line(again.error().message);
      } else if (!nest::equal_kernels(l.kernel, *again) || nest::to_text(*again) != text) {
        failure = "another kernel than " + l.kernel.name;
      }
    });
  }
  return failure;
}

struct Table {
  int files = 0;
  size_t bytes = 0;
  double read_seconds = 0, slowest_seconds = 0;
  size_t slowest_bytes = 0;
  std::string slowest;
  std::vector<int> passed;
  std::vector<std::string> failures;
};

std::vector<fs::path> dumps_in(const fs::path& where) {
  std::vector<fs::path> files;
  if (!fs::is_directory(where)) return {where};
  for (const auto& entry : fs::recursive_directory_iterator(where)) {
    std::string extension = entry.path().extension().string();
    if (extension == ".fut_soacs" || extension == ".fut_gpu") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Table measure(const std::vector<fs::path>& files, const std::vector<Step>& steps, const Options& options, int jobs) {
  Table table;
  table.passed.resize(steps.size());
  std::mutex mutex;
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++) {
      Dump dump{files[i], slurp(files[i]), {}, {}, {}, 0};
      std::vector<Failure> failures;
      for (const Step& step : steps) {
        failures.push_back(step.run(dump, options));
        if (failures.back() && step.ends_checks) break;
      }
      std::lock_guard lock(mutex);
      ++table.files;
      table.bytes += dump.text.size();
      table.read_seconds += dump.read_seconds;
      if (dump.read_seconds > table.slowest_seconds) {
        table.slowest_seconds = dump.read_seconds;
        table.slowest_bytes = dump.text.size();
        table.slowest = dump.file.filename().string();
      }
      for (size_t s = 0; s < failures.size(); ++s) {
        if (failures[s]) {
          table.failures.push_back(
              fmt::format("{}: not {}: {}", dump.file.filename().string(), steps[s].name, *failures[s]));
        } else {
          ++table.passed[s];
        }
      }
    }
  };
  std::vector<std::thread> threads;
  for (int j = 0; j < jobs; ++j) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  std::sort(table.failures.begin(), table.failures.end());
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures how many of the host compiler's dumps survive reading and writing, or are compiled.");
  std::vector<std::string> places;
  Options options;
  int jobs = 1;
  app.add_option("places", places, "folders of .fut_soacs and .fut_gpu files, or such files")
      ->required()
      ->check(CLI::ExistingPath);
  app.add_option("--host", options.host, "the futhark to offer the written programs to");
  bool compile = false;
  app.add_flag("--compile", compile, "compile them; those after kernel extraction only");
  app.add_option("--jobs", jobs, "files at a time")->check(CLI::Range(1, 256));
  CLI11_PARSE(app, argc, argv);

  std::vector<Step> steps = {
      {"read", true, read_dump}, {"verified", false, verified}, {"written back equal", true, write_back}};
  if (compile) {
    steps.push_back({"compiled", true, compiled});
    steps.push_back({"nests read back", false, nests_read_back});
  }
  if (!options.host.empty()) steps.push_back({"accepted by the host", true, accepted_by_host});

  std::string scratch = (fs::temp_directory_path() / "heddle_conformance_XXXXXX").string();
  if (!mkdtemp(scratch.data())) {
    fmt::print(stderr, "cannot make a folder in {}\n", fs::temp_directory_path().string());
    return 1;
  }
  options.scratch = scratch;

  bool all = true;
  for (const std::string& place : places) {
    Table table = measure(dumps_in(place), steps, options, jobs);
    fmt::print("{}: {} files, {:.1f} MB\n", place, table.files, table.bytes / 1e6);
    if (table.files == 0) all = false;
    for (size_t s = 0; s < steps.size(); ++s) {
      double share = table.files ? 100.0 * table.passed[s] / table.files : 0;
      fmt::print("  {:<22}{:>6}  {:6.2f} %\n", steps[s].name, table.passed[s], share);
    }
    fmt::print("  reading took {:.3f} s; longest {}, {} KB, {:.1f} ms\n", table.read_seconds, table.slowest,
               table.slowest_bytes / 1000, table.slowest_seconds * 1e3);
    for (const std::string& failure : table.failures) fmt::print("  {}\n", failure);
    all = all && table.failures.empty();
  }
  fs::remove_all(options.scratch);
  return all ? 0 : 1;
}
