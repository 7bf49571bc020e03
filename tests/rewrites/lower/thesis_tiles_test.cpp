// The recipe's kernel for examples/conv.fut with the tiles of the thesis' table 2, on the kinds of sizes that go wrong.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/direct_nest.h"
#include "rewrites/contraction/tiled.h"
#include "rewrites/nest/compare.h"

namespace heddle {
namespace {

using Values = std::unordered_map<Name, prim::Value>;

// A row of the table, from which the number of threads and the points of each in x, y and z follow.
struct Tiles {
  int64_t radius, threads_x, threads_y, points_y, threads_z, points_z;

  int64_t window() const { return 2 * radius + 1; }
  int64_t x() const { return threads_x; }
  int64_t y() const { return threads_y * points_y; }
  int64_t z() const { return threads_z * points_z; }
};

constexpr Tiles kBalanced{1, 16, 16, 3, 2, 3}, kWide{1, 32, 8, 8, 4, 1}, kOnlyX{1, 256, 1, 8, 1, 8},
    kHigh{2, 8, 2, 32, 2, 2}, kMostThreads{5, 64, 4, 4, 2, 8};

struct Sizes {
  int64_t in_channels, out_channels, height, width;  // of the result
};

class Convolution {
 public:
  explicit Convolution(const std::string& elem) : names_(1'000'000) {
    std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/conv.fut_gpu");
    std::stringstream dump;
    dump << file.rdbuf();
    std::string text = dump.str();
    if (elem == "i32") {
      for (auto [from, to] :
           {std::pair("0\\.0f32", "0i32"), {"\\bfadd32", "add32"}, {"\\bfmul32", "mul32"}, {"\\bf32\\b", "i32"}})
        text = std::regex_replace(text, std::regex(from), to);
    }
    Result<seg::Program> program = read_program(text, "conv.fut_gpu");
    EXPECT_TRUE(program) << (program ? "" : program.error().message);
    Result<lower::PlannedProgram> lowered = compile_kernels(*program, true);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    for (const auto& [stm, op] : lowered->plans) {
      if (op.match) direct_.emplace(contraction::direct_nest(*op.match, op.launches[0].kernel, names_));
    }
    EXPECT_EQ(direct_->contraction.parallel.size(), 3u);
    EXPECT_EQ(direct_->contraction.reduction.size(), 3u);
    tiling_ = contraction::name_tiling(direct_->contraction, names_);
    window_ = nest::free_names(direct_->contraction.reduction[1].extent);
    EXPECT_EQ(window_.size(), 1u);
    tiled_ = contraction::tiled(direct_->contraction, tiling_, {*window_.begin()}, direct_->kernel, names_);
  }

  // What is wrong with the tiled kernel, or nothing.
  std::string difference(const Tiles& t, const Sizes& s, bool through_shared) const {
    Values values = sizes(t, s);
    auto set = [&](const Name& name, int64_t value) { values.emplace(name, prim::Value::i64(value)); };
    auto parallel = [&](size_t p, int64_t warps, int64_t lanes, int64_t points) {
      set(tiling_.parallel[p].warps, warps);
      set(tiling_.parallel[p].lanes, lanes);
      set(tiling_.parallel[p].points, points);
      set(tiling_.parallel[p].run, points);
    };
    int64_t lanes = std::min<int64_t>(t.threads_x, 32);
    parallel(0, t.threads_z, 1, t.points_z);
    parallel(1, t.threads_y, 1, t.points_y);
    parallel(2, t.threads_x / lanes, lanes, 1);
    for (size_t r = 0; r < 3; ++r) {
      set(tiling_.reduction[r].chunk, r == 0 ? 1 : t.window());
      set(tiling_.reduction[r].unroll, r == 2 ? t.window() : 1);
    }
    for (const contraction::OperandTile& o : tiling_.operands) {
      set(o.copy_width, 1);
      set(o.load_width, 1);
      set(o.padding, 0);
    }
    set(tiling_.slices, 1);
    set(tiling_.store_width, 1);
    set(tiling_.result_shared, through_shared ? 1 : 0);
    set(tiling_.stages, 2);
    set(tiling_.ahead, 0);
    set(tiling_.registers, 255);
    nest::Expected expected(direct_->kernel, values);
    if (expected.problem()) return "direct: " + *expected.problem();
    return expected.difference(tiled_);
  }

 private:
  Values sizes(const Tiles& t, const Sizes& s) const {
    Values values;
    auto set = [&](const nest::Expr& e, int64_t value) {
      for (const Name& n : nest::free_names(e)) values.insert_or_assign(n, prim::Value::i64(value));
    };
    const recognize::Contraction& c = direct_->contraction;
    int64_t k = t.window();
    for (const nest::Buffer& b : direct_->kernel.buffers) {
      if (b.dims.size() != 3 || b.name == c.result.buffer) continue;
      set(b.dims[1], s.height + k - 1);
      set(b.dims[2], s.width + k - 1);
    }
    set(c.parallel[0].extent, s.out_channels);
    set(c.parallel[1].extent, s.height);
    set(c.parallel[2].extent, s.width);
    set(c.reduction[0].extent, s.in_channels);
    set(c.reduction[1].extent, k);
    return values;
  }

  NameSource names_;
  std::optional<contraction::DirectNest> direct_;
  contraction::Tiling tiling_;
  nest::NameSet window_;
  nest::Kernel tiled_;
};

// No size, one, and around a tile; primes.
std::vector<int64_t> around(int64_t tile) { return {0, 1, tile - 1, tile, tile + 1}; }

void expect_right(const Tiles& t, bool through_shared, const std::string& elem = "f32") {
  Convolution c(elem);
  auto check = [&](const Sizes& s) {
    EXPECT_EQ(c.difference(t, s, through_shared), "")
        << s.in_channels << " channels to " << s.out_channels << ", result " << s.height << " x " << s.width;
  };
  for (int64_t n : around(t.z())) check({1, n, 2, 3});
  for (int64_t n : around(t.y())) check({1, 2, n, 3});
  for (int64_t n : around(t.x())) check({1, 3, 1, n});
  for (int64_t n : {0, 3}) check({n, 5, 7, 11});
  check({1, t.z() + 1, t.y() + 1, 2});
}

TEST(ThesisTiles, Balanced) {
  expect_right(kBalanced, false);
  // Table 1 has 22 channels, which no tile divides.
  EXPECT_EQ(Convolution("f32").difference(kBalanced, {22, 22, 3, 2}, false), "");
}
TEST(ThesisTiles, Wide) { expect_right(kWide, true); }
TEST(ThesisTiles, OnlyX) { expect_right(kOnlyX, false); }
TEST(ThesisTiles, High) { expect_right(kHigh, true); }

TEST(ThesisTiles, Integers) { expect_right(kBalanced, true, "i32"); }

// The one that the thesis could not launch.
TEST(ThesisTiles, MostThreads) {
  Convolution c("f32");
  const Tiles& t = kMostThreads;
  for (const Sizes& s : {Sizes{1, t.z(), t.y(), t.x()}, Sizes{1, 1, 1, t.x() + 1}, Sizes{0, t.z() + 1, t.y() - 1, 1}})
    EXPECT_EQ(c.difference(t, s, true), "") << s.out_channels << " x " << s.height << " x " << s.width;
}

}  // namespace
}  // namespace heddle
