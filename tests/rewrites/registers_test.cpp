// The registers that the model takes a tiled kernel to need, against what ptxas finds. The model's number is an estimate,
// which the runtime corrects by trying: this looks at whether it is one at all, and tells how good it is.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "../need.h"
#include "codegen/c_expr.h"
#include "codegen/cuda/kernel_text.h"
#include "embedded_kernel_device.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/tiled.h"
#include "tests/dynamic_library.h"
#include "tests/rewrites/contraction_examples.h"
#include "tests/rewrites/random_tiling.h"

namespace heddle::contraction {
namespace {

using testing_support::DynamicLibrary;

constexpr hd_device_model kH100 = {132, 1.98e9, 128, 32, 2.85e12, 65536, 233472, 232448, 2048};

// What a command prints; nothing if it fails.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> piece;
  while (size_t n = std::fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), n);
  return pclose(pipe) == 0 ? text : "";
}

std::string ptx_of(const DynamicLibrary& nvrtc, const std::string& text) {
  void* program = nullptr;
  nvrtc.must("nvrtcCreateProgram", &program, text.c_str(), "kernel.cu", 0, nullptr, nullptr);
  const char* options[] = {"--gpu-architecture=sm_90", "--diag-suppress=177"};
  nvrtc.must("nvrtcCompileProgram", program, 2, options);
  size_t size = 0;
  nvrtc.must("nvrtcGetPTXSize", program, &size);
  std::string ptx(size, '\0');
  nvrtc.must("nvrtcGetPTX", program, ptx.data());
  nvrtc.must("nvrtcDestroyProgram", &program);
  ptx.resize(ptx.find('\0'));
  return ptx;
}

// The least limit, a multiple of 8, with which ptxas keeps everything in registers.
int64_t registers_needed(std::string ptx) {
  if (size_t limit = ptx.find(".maxnreg"); limit != std::string::npos) ptx.erase(limit, ptx.find('\n', limit) - limit);
  std::string file = testing::TempDir() + "heddle_registers.ptx";
  std::ofstream(file) << ptx;
  int64_t low = 3, high = 32;  // times 8: too few, enough
  while (high - low > 1) {
    int64_t limit = (low + high) / 2;
    std::string said = output_of("ptxas -v -arch sm_90 -o /dev/null --maxrregcount " +
                                 std::to_string(std::min<int64_t>(8 * limit, 255)) + " " + file);
    (said.find(" 0 bytes spill stores") != std::string::npos ? high : low) = limit;
  }
  std::remove(file.c_str());
  return 8 * high;
}

struct Sample {
  const char* name;
  std::function<examples::Example(NameSource&)> example;
  std::vector<int64_t> scalars;
};

examples::Example product(NameSource& names) { return examples::product(names); }
examples::Example convolution(NameSource& names) { return examples::convolution(names); }

class Registers : public testing::Test {
 protected:
  void SetUp() override {
    HEDDLE_NEED(nvrtc_, "NVRTC is not installed");
    HEDDLE_NEED(!output_of("ptxas --version").empty(), "ptxas is not installed");
  }

  // How many registers more are needed than the model says is worth trying, for its best tilings.
  void compare(const Sample& sample, int most) {
    NameSource names(1);
    examples::Example e = sample.example(names);
    Tiling tiling = name_tiling(e.contraction, names);
    Structure structure = structure_of(e.contraction, e.direct.buffers);
    Geometry geometry = geometry_of(e.contraction, structure, full_schedule(e.contraction, structure, tiling));
    nest::Kernel kernel = tiled(e.contraction, tiling, e.constants, e.direct, names);
    std::unordered_map<Name, int64_t> values;
    for (size_t i = 0; i < sample.scalars.size(); ++i) values.emplace(e.direct.scalars[i].name, sample.scalars[i]);
    Numbers numbers(values);
    ModelShape shape(shape_of(e.contraction, e.direct.buffers), geometry, tiling, numbers, 0);
    std::vector<hd_ranked_tiling> ranked(HD_MAX_SHORTLIST);
    int found = hd_tiling_shortlist(&kH100, &shape.contraction(), most, ranked.data());
    ASSERT_GT(found, 0);
    for (int i = 0; i < found; ++i) {
      std::array<int64_t, HD_MAX_TILING_VALUES> of_tiling;
      hd_tiling_values(&shape.contraction(), &ranked[static_cast<size_t>(i)].tiling, of_tiling.data());
      std::string text(embedded::kernel_device);
      for (size_t k = 0; k < kernel.constants.size(); ++k) {
        const Name& n = kernel.constants[k];
        int64_t value = values.contains(n) ? values.at(n) : of_tiling[k];
        text += "#define " + codegen::c_name(n) + " " + std::to_string(value) + "\n";
      }
      int64_t needed = registers_needed(ptx_of(nvrtc_, text + codegen::kernel_text(kernel)));
      int64_t expected = ranked[static_cast<size_t>(i)].cost.least_registers;
      std::cout << sample.name << ": needs " << needed << " registers, the model says " << expected << "\n";
      EXPECT_LE(needed, 2 * expected);
      EXPECT_LE(expected, 2 * needed + 16);
    }
  }

  DynamicLibrary nvrtc_{{HEDDLE_NVRTC, "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}};
};

TEST_F(Registers, AreNearWhatThePtxAssemblerNeeds) {
  // Sizes in the order of the examples' scalars.
  compare({"product", product, {4096, 4096, 4096}}, 2);
  compare({"convolution by 3x3", convolution, {64, 130, 130, 64, 3, 128, 128, 1}}, 2);
  compare({"convolution by 5x5", convolution, {8, 1000, 1000, 16, 5, 996, 996, 1}}, 2);
}

}  // namespace
}  // namespace heddle::contraction
