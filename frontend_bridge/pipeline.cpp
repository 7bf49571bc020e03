#include "frontend_bridge/pipeline.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "frontend_bridge/evidence.h"
#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/futhark/reader.h"
#include "frontend_bridge/kernel_listing.h"
#include "frontend_bridge/pass_dump.h"
#include "ir/host/printer.h"
#include "ir/host/verify.h"
#include "ir/nest/printer.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"
#include "rewrites/host/passes.h"
#include "rewrites/plan/planner.h"
#include "rewrites/plan/stop_derivations.h"

namespace heddle {

namespace {

std::string describe(const std::vector<seg::Problem>& problems) {
  std::string text;
  constexpr size_t kMost = 5;
  for (size_t k = 0; k < problems.size() && k < kMost; ++k) {
    // What heddle made has no line.
    text += problems[k].line == 0 ? fmt::format("\n  {}", problems[k].message)
                                  : fmt::format("\n  line {}: {}", problems[k].line, problems[k].message);
  }
  if (problems.size() > kMost) text += fmt::format("\n  and {} more", problems.size() - kMost);
  return text;
}

enum class FileForm { Source, Soacs, Gpu, Unknown };

FileForm file_form_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".fut") return FileForm::Source;
  if (extension == ".fut_soacs") return FileForm::Soacs;
  return extension == ".fut_gpu" ? FileForm::Gpu : FileForm::Unknown;
}

Result<std::string> read_program_file(const std::string& path) {
  if (file_form_of(path) == FileForm::Unknown) {
    std::error_code ignored;
    const std::string source = path + ".fut";
    const std::string hint = std::filesystem::exists(source, ignored) ? "; did you mean " + source + "?" : "";
    return input_error(path + ": its extension must be .fut, .fut_soacs or .fut_gpu" + hint);
  }
  return read_text(path);
}

}  // namespace

// What has no end, or no beginning until somebody writes, is refused rather than waited for.
Result<std::string> read_text(const std::string& path) {
  auto cannot_read = [&] { return input_error(fmt::format("cannot read {}: {}", path, std::strerror(errno))); };
  struct File {
    int number;
    ~File() {
      if (number >= 0) close(number);
    }
  } file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  struct stat facts {};
  if (file.number < 0 || fstat(file.number, &facts) != 0) return cannot_read();
  if (S_ISDIR(facts.st_mode)) return input_error(path + " is a folder, not a program");
  if (!S_ISREG(facts.st_mode)) return input_error(path + " is no regular file");
  std::string text;
  std::array<char, 65536> part{};
  for (ssize_t n; (n = read(file.number, part.data(), part.size())) != 0;) {
    if (n < 0) return cannot_read();
    text.append(part.data(), static_cast<size_t>(n));
    if (text.size() > kLargestText) return input_error(path + " is larger than a gigabyte");
  }
  return text;
}

Result<seg::Program> read_program(const std::string& text, const std::string& file_name) {
  Result<seg::Program> program = futhark::read(text, file_name);
  if (!program) return program;
  std::vector<seg::Problem> problems = seg::verify(*program);
  if (problems.empty()) return program;
  Error error = input_error(file_name + " is not a well-formed program:" + describe(problems));
  error.line = problems.front().line;
  return error;
}

Result<std::string> load_text(const std::string& path, const HostOptions& options) {
  Result<std::string> text = read_program_file(path);
  if (!text || file_form_of(path) == FileForm::Gpu) return text;
  if (file_form_of(path) == FileForm::Soacs) {
    // Futhark takes it from here, but we are better at saying what is wrong with IR.
    Result<seg::Program> program = read_program(*text, path);
    if (!program) return program.error();
  }
  return futhark::extract_kernels(path, options);
}

Result<seg::Program> load_program(const std::string& path, const HostOptions& options) {
  Result<std::string> text = load_text(path, options);
  return text ? read_program(*text, path) : text.error();
}

Result<seg::Program> load_as_written(const std::string& path, const HostOptions& options) {
  if (file_form_of(path) == FileForm::Source) return load_program(path, options);
  Result<std::string> text = read_program_file(path);
  return text ? read_program(*text, path) : text.error();
}

std::optional<Error> check_pass(const SegPass& pass, const seg::Program& before, const seg::Program& after) {
  std::vector<seg::Problem> problems = seg::verify(after);
  if (problems.empty()) return std::nullopt;
  std::string kept = keep_evidence({{"before.fut_gpu", seg::print(before)}, {"after.fut_gpu", seg::print(after)}});
  return internal_error(fmt::format("ill-formed after pass {}:{}\n{}", pass.name, describe(problems), kept));
}

std::optional<Error> check_kernels(const lower::PlannedProgram& lowered) {
  std::vector<std::string> problems = lower::verify_kernels(lowered);
  if (problems.empty()) return std::nullopt;
  std::string kernels = kernel_listing(lowered, "-- ", [](const nest::Kernel& k) { return nest::to_text(k); });
  std::string kept = keep_evidence({{"lowered.fut_gpu", seg::print(lowered.program)}, {"kernels.nest", kernels}});
  return internal_error(fmt::format("ill-formed after lowering:\n  {}\n{}", fmt::join(problems, "\n  "), kept));
}

Result<lower::PlannedProgram> compile_kernels(const seg::Program& program, const KernelOptions& options) {
  std::optional<PassDump> dump;
  if (!options.dump_folder.empty()) {
    Result<PassDump> begun = PassDump::begin(options.dump_folder, program);
    if (!begun) return begun.error();
    dump = std::move(*begun);
  }
  auto after_pass = [&](const SegPass& pass, const seg::Program& before,
                        const seg::Program& after) -> std::optional<Error> {
    std::optional<Error> error;
    if (dump) error = dump->pass(pass, before, after);
    if (!error && options.verify) error = check_pass(pass, before, after);
    if (!error && options.watch) error = options.watch(pass, before, after);
    return error;
  };
  Result<seg::Program> rewritten = run_seg_passes(options.passes, program, after_pass);
  if (!rewritten) return rewritten.error();
  Result<lower::PlannedProgram> lowered = lower::plan_program(*rewritten, options.plan);
  if (!lowered) return lowered;
  std::optional<Error> error;
  if (!options.until.empty()) error = lower::stop_derivations(*lowered, options.until);
  if (!error && dump) error = dump->kernels(*lowered);
  if (!error && options.verify) error = check_kernels(*lowered);
  if (error) return *error;
  return lowered;
}

Result<lower::PlannedProgram> compile_kernels(const seg::Program& program, bool verify) {
  KernelOptions options;
  options.verify = verify;
  return compile_kernels(program, options);
}

Result<host::Program> host_program(const lower::PlannedProgram& lowered, host::BuildOptions target,
                                   const KernelOptions& options) {
  target.side_by_side = options.plan.models.side_by_side;
  Result<host::Program> built = host::build(lowered, target);
  if (!built) return built;
  int number = 0;
  auto look = [&](std::string_view pass, const host::Program& after) -> std::optional<Error> {
    if (!options.dump_folder.empty()) {
      if (auto error = PassDump::host(options.dump_folder, number++, pass, after)) return error;
    }
    std::vector<std::string> problems = options.verify ? host::verify(after) : std::vector<std::string>{};
    if (problems.empty()) return std::nullopt;
    std::string kept = keep_evidence({{"program.host", host::to_text(after)}});
    return internal_error(fmt::format("ill-formed after {}:\n  {}\n{}", pass, fmt::join(problems, "\n  "), kept));
  };
  if (std::optional<Error> error = look("build", *built)) return *error;
  return host::run_passes(std::move(*built), target,
                          [&](const host::Pass& pass, const host::Program& after) { return look(pass.name, after); });
}

}  // namespace heddle
