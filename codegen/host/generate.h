// The host part of a lowered program as one self-contained C file: runtime, kernels, tables, and a function per entry point.
#pragma once

#include <string>
#include <variant>

#include "rewrites/lower/lowered.h"

namespace heddle::codegen::host {

enum class Target { Cpu, Cuda };
enum class Mode { Executable, Server };

struct Options {
  Target target = Target::Cpu;
  Mode mode = Mode::Executable;
  std::string program_name;  // how the program calls itself in its messages
};

// What in the program heddle cannot generate code for yet.
struct Unsupported {
  std::string construct;
  seg::Position position;
};

// All functions of the program must be entry points: calls have been inlined.
std::variant<std::string, Unsupported> generate(const lower::LoweredProgram& program, const Options& options);

}  // namespace heddle::codegen::host
