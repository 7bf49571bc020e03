// Functions that say how large everything is in the specialized kernels, for the runtime's choice of tilings.
#pragma once

#include <string>

#include "ir/host/host.h"

namespace heddle::codegen::host {

// A function for each kernel and each struct of runtime/contraction/kernel_geometry.h.
std::string geometry_text(const std::vector<heddle::host::FamilyKernel>& kernels);

// The struct hd_geometry_functions of the kernel with this number; `sizes` is the array that they are given.
std::string geometry_functions(int kernel, const std::string& sizes);

}  // namespace heddle::codegen::host
