#include "frontend_bridge/pipeline.h"

#include <fmt/format.h>

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
    text += fmt::format("\n  line {}: {}", problems[k].line, problems[k].message);
  }
  if (problems.size() > kMost) text += fmt::format("\n  and {} more", problems.size() - kMost);
  return text;
}

}  // namespace

Result<seg::Program> read_program(const std::string& text, const std::string& file_name) {
  auto read = futhark::read(text, file_name);
  if (!read) {
    const futhark::Diagnostic& d = read.error();
    return d.fault == futhark::Fault::Unsupported ? unsupported(d.text()) : input_error(d.text());
  }
  std::vector<seg::Problem> problems = seg::verify(read.value());
  if (!problems.empty()) return input_error(file_name + " is not a well-formed program:" + describe(problems));
  return std::move(read).value();
}

Result<std::string> load_text(const std::string& path, const HostOptions& options) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".fut" && extension != ".fut_soacs" && extension != ".fut_gpu") {
    return input_error(path + ": its extension must be .fut, .fut_soacs or .fut_gpu");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return input_error("cannot read " + path);
  if (extension != ".fut_gpu") return futhark::extract_kernels(path, options);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<seg::Program> load_program(const std::string& path, const HostOptions& options) {
  Result<std::string> text = load_text(path, options);
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
  return lower::lower_program(current);
}

}  // namespace heddle
