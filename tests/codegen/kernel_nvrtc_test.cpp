// NVRTC accepts the same text that the host's compiler does.
#include <gtest/gtest.h>

#include "codegen/cuda/kernel_text.h"
#include "embedded_kernel_device.h"
#include "tests/dynamic_library.h"
#include "tests/ir/nest_examples.h"

namespace heddle::codegen {
namespace {

using testing_support::DynamicLibrary;

TEST(KernelNvrtc, CompilesExamples) {
  DynamicLibrary nvrtc({HEDDLE_NVRTC, "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"});
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  std::string text(embedded::kernel_device);
  using namespace nest::examples;
  for (const nest::Kernel& k :
       {copy(), matmul(), tiled_matmul(), block_sums(), warp_sums(), histogram(), histogram(false), checked_roots()}) {
    text += kernel_text(k, {.check_earlier_failure = true});
  }
  void* program = nullptr;
  nvrtc.must("nvrtcCreateProgram", &program, text.c_str(), "kernels.cu", 0, nullptr, nullptr);
  // No kernel uses all functions.
  const char* options[] = {"--gpu-architecture=sm_90", "--diag-suppress=177"};
  int error = nvrtc.call("nvrtcCompileProgram", program, 2, options);
  size_t log_size = 0;
  nvrtc.must("nvrtcGetProgramLogSize", program, &log_size);
  std::string log(log_size, '\0');
  nvrtc.must("nvrtcGetProgramLog", program, log.data());
  EXPECT_EQ(error, 0) << log;
  EXPECT_EQ(log.find("warning"), std::string::npos) << log;
  nvrtc.must("nvrtcDestroyProgram", &program);
}

}  // namespace
}  // namespace heddle::codegen
