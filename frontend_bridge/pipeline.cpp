#include "frontend_bridge/pipeline.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

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
    // What heddle made has no line.
    text += problems[k].line == 0 ? fmt::format("\n  {}", problems[k].message)
                                  : fmt::format("\n  line {}: {}", problems[k].line, problems[k].message);
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

Result<std::string> read_file(const std::string& path) {
  if (form_of(path) == Form::Unknown) return input_error(path + ": its extension must be .fut, .fut_soacs or .fut_gpu");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return input_error(path + " is a folder, not a program");
  std::ifstream file(path, std::ios::binary);
  if (!file) return input_error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::stringstream text;
  text << file.rdbuf();
  if (file.bad()) return input_error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return text.str();
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
