// The host part of a lowered program as one self-contained C file: runtime, kernels, tables, and a function per entry
// point.
#pragma once

#include <string>

#include "ir/host/host.h"
#include "ir/support/error.h"

namespace heddle::codegen::host {

enum class Target { Cpu, Cuda };
enum class Mode { Executable, Server };

struct Options {
  Target target = Target::Cpu;
  Mode mode = Mode::Executable;
  std::string program_name;  // how the program calls itself in its messages
};

// The text is whole, and can also be compiled as several objects with optimisations of their own: with HD_ONLY_RUNTIME
// defined, with HD_ONLY_HOST and, if it is for the CPU, with HD_ONLY_KERNELS, at once or by halves (program.h). That for
// CUDA has kernels only as text for the device's compiler.
//
std::string generate(const heddle::host::Program& program, const Options& options);

// A library's C text stands alone, too: the header is for those who use it, the manifest says in JSON what the header
// does. `version`: of this compiler and of the Futhark that it stands for.
struct Library {
  std::string c_text;
  std::string header;
  std::string manifest;
};
Result<Library> generate_library(const heddle::host::Program& program, Target target, const std::string& program_name,
                                 const std::string& version);

}  // namespace heddle::codegen::host
