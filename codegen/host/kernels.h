// Kernels in the generated file: code for the CPU, or text for NVRTC.
#pragma once

#include <string>
#include <string_view>

#include "codegen/host/survey.h"

namespace heddle::codegen::host {

// Functions for all kernels, and `kernels`.
std::string cpu_kernels(const Survey& survey);
// `kernels` and `kernel_text`: what every kernel needs (`device_text`), then the kernels.
std::string cuda_kernels(const Survey& survey, std::string_view device_text);

}  // namespace heddle::codegen::host
