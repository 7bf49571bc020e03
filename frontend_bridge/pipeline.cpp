#include "frontend_bridge/pipeline.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "frontend_bridge/futhark/command.h"
#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/verify.h"
#include "rewrites/lower/lower_program.h"

namespace heddle {

namespace {

std::string describe(const std::vector<seg::Problem>& problems) {
  std::string text;
  constexpr size_t kMost = 5;
  for (size_t k = 0; k < problems.size() && k < kMost; ++k) {
    text += fmt::format("\n  line {}: {}", problems[k].line, problems[k].message);
  }
  if (problems.size() > kMost) text += fmt::format("\n  and {} more", problems.size() - kMost);
  return text;
}

enum class Form { Source, Soacs, Gpu, Unknown };

Form form_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".fut") return Form::Source;
  if (extension == ".fut_soacs") return Form::Soacs;
  return extension == ".fut_gpu" ? Form::Gpu : Form::Unknown;
}

constexpr size_t kLargestFile = size_t{1} << 30;  // bytes; dumps of a megabyte are large

// What has no end, or no beginning until somebody writes, is refused rather than waited for.
Result<std::string> read_file(const std::string& path) {
  if (form_of(path) == Form::Unknown) return input_error(path + ": its extension must be .fut, .fut_soacs or .fut_gpu");
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
    if (text.size() > kLargestFile) return input_error(path + " is larger than a gigabyte");
  }
  return text;
}

}  // namespace

Result<seg::Program> read_program(const std::string& text, const std::string& file_name) {
  Result<seg::Program> program = futhark::read(text, file_name);
  if (!program) return program;
  std::vector<seg::Problem> problems = seg::verify(*program);
  if (!problems.empty()) return input_error(file_name + " is not a well-formed program:" + describe(problems));
  return program;
}

Result<std::string> load_text(const std::string& path, const HostOptions& options) {
  Result<std::string> text = read_file(path);
  if (!text || form_of(path) == Form::Gpu) return text;
  if (form_of(path) == Form::Soacs) {
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
  if (form_of(path) == Form::Source) return load_program(path, options);
  Result<std::string> text = read_file(path);
  return text ? read_program(*text, path) : text.error();
}

Result<lower::LoweredProgram> compile_kernels(const seg::Program& program, bool verify_passes) {
  seg::Program current = program;
  for (const SegPass& pass : seg_passes()) {
    Result<seg::Program> next = pass.run(current);
    if (!next) return next.error();
    current = std::move(*next);
    if (!verify_passes) continue;
    std::vector<seg::Problem> problems = seg::verify(current);
    if (!problems.empty()) {
      return internal_error(fmt::format("ill-formed after pass {}:{}", pass.name, describe(problems)));
    }
  }
  Result<lower::LoweredProgram> lowered = lower::lower_program(current);
  if (!lowered || !verify_passes) return lowered;
  std::vector<std::string> problems = lower::verify_kernels(*lowered);
  if (problems.empty()) return lowered;
  return internal_error(fmt::format("ill-formed after lowering:\n  {}", fmt::join(problems, "\n  ")));
}

}  // namespace heddle
