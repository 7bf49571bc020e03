// How far fused stages may be from stages by themselves: not at all where products and sums are not contracted, else within a bound.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"

namespace {

// All terms are positive, so that nothing cancels. `lit` is computed by its readers, where its products meet their sums.
const std::string kProgram = R"(
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def blur [h][w] (at: [h][w]f32 -> i64 -> i64 -> i64 -> f32) (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\y x -> 0.0625 * at img y x (-2) + 0.25 * at img y x (-1) + 0.375 * at img y x 0 + 0.25 * at img y x 1 + 0.0625 * at img y x 2)
def along [h][w] (img: [h][w]f32) (y: i64) (x: i64) (i: i64) = img[y, clamp w (x + i)]
def across [h][w] (img: [h][w]f32) (y: i64) (x: i64) (i: i64) = img[clamp h (y + i), x]

entry blurred [h][w] (img: [h][w]f32) (_: [h][w]f32) : [h][w]f32 = blur across (blur along img)
entry lit [h][w] (img: [h][w]f32) (light: [h][w]f32) : ([h][w]f32, [h][w]f32) =
  let lit = tabulate_2d h w (\y x -> 0.9 * img[y, x] * light[y, x])
  in (tabulate_2d h w (\y x -> lit[y, x] + lit[y, clamp w (x + 1)] + lit[y, clamp w (x + 2)]),
      tabulate_2d h w (\y x -> lit[y, x] + lit[clamp h (y + 1), x] + lit[clamp h (y + 2), x]))
)";

// The elements of all arrays in Futhark's binary format, each of which a line ends.
std::vector<float> floats(const std::string& binary) {
  std::vector<float> all;
  for (size_t at = 0; at + 7 < binary.size();) {
    const size_t rank = static_cast<unsigned char>(binary[at + 2]);
    at += 7;  // "b", the version, the rank, the type's name
    size_t count = 1;
    for (size_t d = 0; d < rank; ++d, at += sizeof(int64_t)) {
      int64_t extent = 0;
      std::memcpy(&extent, &binary[at], sizeof extent);
      count *= static_cast<size_t>(extent);
    }
    const size_t first = all.size();
    all.resize(first + count);
    std::memcpy(&all[first], &binary[at], count * sizeof(float));
    at += count * sizeof(float) + 1;
  }
  return all;
}

bool processor_contracts() {
#ifdef __x86_64__
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

class Rounding : public CpuAsGpu {
 protected:
  void SetUp() override {
    if (!processor_contracts()) GTEST_SKIP() << "the processor does not multiply and add at once";
    CpuAsGpu::SetUp();
    if (IsSkipped()) return;
    write("program.fut", kProgram);
    for (const std::string strategy : {"largest", "none"}) {
      ProcessResult made = run({HEDDLE, "cuda", "--fusion", strategy, "program.fut", "-o", strategy});
      ASSERT_EQ(made.exit_code, 0) << made.err;
    }
  }

  std::string result(const std::string& program, const std::string& entry, const std::string& data,
                     bool contract) const {
    Words command = {"CPU_AS_GPU_CONTRACTS=1", "./" + program, "-b", "-e", entry};
    if (!contract) command.emplace_back("--nvrtc-option=--fmad=false");
    ProcessResult r = run(command, data);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    return r.out;
  }

  std::string images(int seed, const std::string& shape) const {
    const std::string image = "[" + shape + "]f32";
    return run({FUTHARK, "dataset", "-b", "--seed", std::to_string(seed), "--f32-bounds=0:1", "-g", image, "-g", image})
        .out;
  }
};

// docs/using.md says so: by k products added up, k + 1 units in the last place, which is at most 2^-23 of a float.
struct Bound {
  const char* entry;
  int units;
};
constexpr Bound kBounds[] = {{"blurred", 6 + 6}, {"lit", 4}};

TEST_F(Rounding, OfFusedStagesIsThatOfStagesByThemselvesWithoutContraction) {
  for (const std::string shape : {"1][1", "3][2", "37][131"}) {
    const std::string data = images(1, shape);
    for (const Bound& b : kBounds)
      EXPECT_EQ(result("largest", b.entry, data, false), result("none", b.entry, data, false)) << b.entry << shape;
  }
}

TEST_F(Rounding, OfFusedStagesStaysWithinItsBound) {
  bool contracts = false;
  for (int seed = 1; seed <= 2; ++seed) {
    const std::string data = images(seed, "37][131");
    for (const Bound& b : kBounds) {
      const std::vector<float> fused = floats(result("largest", b.entry, data, true)),
                               apart = floats(result("none", b.entry, data, true));
      contracts |= fused != floats(result("largest", b.entry, data, false));
      ASSERT_EQ(fused.size(), apart.size());
      ASSERT_GE(fused.size(), 37 * 131);
      for (size_t k = 0; k < fused.size(); ++k) {
        EXPECT_LE(std::abs(fused[k] - apart[k]), std::ldexp(fused[k], -23) * static_cast<float>(b.units))
            << b.entry << k;
      }
    }
  }
  EXPECT_TRUE(contracts);
}

}  // namespace
