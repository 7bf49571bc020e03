// NVRTC accepts the same text that the host's compiler does.
#include <gtest/gtest.h>

#include <map>

#include "../need.h"
#include "codegen/c_expr.h"
#include "codegen/cuda/kernel_text.h"
#include "embedded_kernel_device.h"
#include "ir/nest/reader.h"
#include "rewrites/contraction/steps.h"
#include "tests/dynamic_library.h"
#include "tests/golden/golden.h"
#include "tests/ir/nest_examples.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::codegen {
namespace {

using testing_support::DynamicLibrary;

// What NVRTC makes of a text. Expects no errors or warnings.
std::string ptx_of(const DynamicLibrary& nvrtc, const std::string& text) {
  void* program = nullptr;
  nvrtc.must("nvrtcCreateProgram", &program, text.c_str(), "kernels.cu", 0, nullptr, nullptr);
  // No kernel uses all functions.
  const char* options[] = {"--gpu-architecture=sm_90", "--diag-suppress=177"};
  int error = nvrtc.call("nvrtcCompileProgram", program, 2, options);
  size_t log_size = 0, ptx_size = 0;
  nvrtc.must("nvrtcGetProgramLogSize", program, &log_size);
  std::string log(log_size, '\0');
  nvrtc.must("nvrtcGetProgramLog", program, log.data());
  EXPECT_EQ(error, 0) << log;
  EXPECT_EQ(log.find("warning"), std::string::npos) << log;
  std::string ptx;
  if (error == 0) {
    nvrtc.must("nvrtcGetPTXSize", program, &ptx_size);
    ptx.resize(ptx_size);
    nvrtc.must("nvrtcGetPTX", program, ptx.data());
  }
  nvrtc.must("nvrtcDestroyProgram", &program);
  return ptx;
}

size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

class KernelNvrtc : public testing::Test {
 protected:
  void SetUp() override { HEDDLE_NEED(nvrtc_, "NVRTC is not installed"); }

  DynamicLibrary nvrtc_{{HEDDLE_NVRTC, "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}};
};

TEST_F(KernelNvrtc, CompilesExamples) {
  std::string text(embedded::kernel_device);
  using namespace nest::examples;
  for (const nest::Kernel& k :
       {copy(), matmul(), tiled_matmul(), block_sums(), warp_sums(), histogram(), histogram(false), checked_roots()}) {
    text += kernel_text(k, {.check_earlier_failure = true});
  }
  ptx_of(nvrtc_, text);
}

TEST_F(KernelNvrtc, ShufflesWords) {
  using prim::Type;
  std::string text(embedded::kernel_device);
  for (Type type : {Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::F32, Type::F64, Type::Bool})
    text += kernel_text(nest::examples::rotated(type));
  EXPECT_EQ(count(ptx_of(nvrtc_, text), "shfl.sync.idx"), 10);
}

// What the lanes of a warp keep of a hybrid tile, and what they read of each other, are registers (FuseStages.IntoHybridTilesOfOneTurn).
TEST_F(KernelNvrtc, HybridTilesAreInRegisters) {
  const auto listing =
      golden::contents(HEDDLE_SOURCE_DIR "/tests/golden/files/rewrites/plan/fuse_stages/wrapped_hybrid.nest");
  ASSERT_TRUE(listing);
  Result<nest::Kernel> kernel = nest::read_kernel(*listing);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const std::string ptx = ptx_of(nvrtc_, std::string(embedded::kernel_device) + kernel_text(*kernel));
  EXPECT_GT(count(ptx, "shfl.sync.idx"), 0);
  EXPECT_EQ(count(ptx, ".local"), 0);
  EXPECT_EQ(count(ptx, "bar.sync"), 0);
}

// Of each type: only the marked buffer's element is loaded so.
TEST_F(KernelNvrtc, LoadsWhatIsReadOncePastCaches) {
  using prim::Type;
  std::string text(embedded::kernel_device);
  const std::vector<Type> types = {Type::I8,  Type::I16, Type::I32, Type::I64,
                                   Type::F16, Type::F32, Type::F64, Type::Bool};
  for (Type type : types) {
    const std::string name(prim::name(type));
    Result<nest::Kernel> kernel = nest::read_kernel("kernel copy_" + name + "(n_1: i64, once_2: global read_once " +
                                                    name + "[n_1], often_3: global " + name + "[n_1], a_4: global " +
                                                    name + "[n_1], b_5: global " + name +
                                                    "[n_1]) {\n"
                                                    "  for i_6 in n_1 (grid) {\n"
                                                    "    for t_7 in 1 (block) {\n"
                                                    "      a_4[i_6] := once_2[i_6];\n"
                                                    "      b_5[i_6] := often_3[i_6];\n"
                                                    "    }\n"
                                                    "  }\n"
                                                    "}\n");
    ASSERT_TRUE(kernel) << kernel.error().message;
    text += kernel_text(*kernel);
  }
  const std::string ptx = ptx_of(nvrtc_, text);
  EXPECT_EQ(count(ptx, "ld.global.cs."), types.size());
  EXPECT_EQ(count(ptx, "ld.global."), 2 * types.size());
}

// Derivations end in wide accesses, and in registers that are registers. Constants without a value here are 1.
TEST_F(KernelNvrtc, DerivedConvolution) {
  NameSource names(1);
  examples::Example e = examples::convolution(names);
  nest::Kernel k = contraction::derive(e.contraction, e.direct).steps.back().kernel;
  const std::map<std::string, int> values = {{"LANES_z", 8},
                                             {"POINTS_z", 8},
                                             {"RUN_z", 4},
                                             {"WARPS_y", 2},
                                             {"WARPS_x", 4},
                                             {"LANES_x", 4},
                                             {"POINTS_x", 8},
                                             {"RUN_x", 8},
                                             {"CHUNK_i", 3},
                                             {"CHUNK_j", 3},
                                             {"UNROLL_i", 3},
                                             {"UNROLL_j", 3},
                                             {"window", 3},
                                             {"STORE_WIDTH", 4},
                                             {"RESULT_SHARED", 0},
                                             {"AHEAD", 0},
                                             {"SLICES", 2},
                                             {"STAGES", 2},
                                             {"REGISTERS", 255},
                                             {"PADDING_image", 0},
                                             {"PADDING_filters", 0},
                                             {"COPY_WIDTH_image", 4},
                                             {"LOAD_WIDTH_image", 4},
                                             {"COPY_WIDTH_filters", 4},
                                             {"LOAD_WIDTH_filters", 4}};
  std::string text(embedded::kernel_device);
  for (const Name& c : k.constants) {
    auto value = values.find(c.base);
    text += "#define " + c_name(c) + " " + std::to_string(value == values.end() ? 1 : value->second) + "\n";
  }
  std::string ptx = ptx_of(nvrtc_, text + kernel_text(k));
  // 8 x 8 points and a window of 3 x 3: in each row of it three times four neighbours of the image, and in each column
  // two times four filters.
  EXPECT_EQ(count(ptx, "fma.rn.f32"), 8u * 8 * 3 * 3);
  EXPECT_EQ(count(ptx, "ld.shared.v4"), 3u * 3 + 9 * 2);
  EXPECT_EQ(count(ptx, "ld.shared.f32"), 0u);
  EXPECT_EQ(count(ptx, "st.global.v4"), 8u * 2);
  EXPECT_GT(count(ptx, "cp.async.cg.shared.global"), 0u);
  EXPECT_EQ(count(ptx, ".local"), 0u);
}

}  // namespace
}  // namespace heddle::codegen
