// Kernels in the generated file: code for the CPU, or text for NVRTC.
#pragma once

#include <string>
#include <string_view>

#include "ir/host/host.h"

namespace heddle::codegen::host {

// The program with names for its kernels that are C identifiers and all different.
heddle::host::Program with_c_names(heddle::host::Program program);

// Functions for all kernels, and `kernels`: in two halves of about the same length that may be compiled apart (program.h).
std::string cpu_kernels(const heddle::host::Program& program);
// `kernels`, which have their text, `device_text`, what every kernel needs, and `kernel_text`, the runtime's kernels.
std::string cuda_kernels(const heddle::host::Program& program, std::string_view device_text, std::string_view builtins);

}  // namespace heddle::codegen::host
