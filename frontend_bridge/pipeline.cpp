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

Result<seg::Program> load_program(const std::string& path, const HostOptions& options) {
  if (std::filesystem::path(path).extension() != ".fut_gpu") {
    Result<std::string> dump = futhark::extract_kernels(path, options);
    if (!dump) return dump.error();
    return read_program(*dump, path);
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return input_error("cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return read_program(text.str(), path);
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
