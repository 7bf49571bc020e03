// Programs compiled to kernels, for tests of what these are. Whatever is refused is thrown.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "frontend_bridge/pipeline.h"

namespace heddle {

// A text in tests/rewrites/data.
inline std::string test_program(const std::string& name) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline lower::PlannedProgram planned(const std::string& text, const KernelOptions& options) {
  Result<seg::Program> program = read_program(text, "test.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  Result<lower::PlannedProgram> result = compile_kernels(*program, options);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

}  // namespace heddle
