// Stages that go on beyond what they read, whose sizes have nothing to do with each other.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def clamped [h] [w] (img: [h][w]i32) (y: i64) (x: i64) = img[clamp h y, clamp w x]
def rows [n] [m] (f: [n][m]i32) = tabulate_2d n m (\y x -> f[clamp n (y - 1), x] * 3 + f[clamp n (y + 1), x])
def columns [n] [m] (f: [n][m]i32) = tabulate_2d n m (\y x -> f[y, clamp m (x - 1)] * 5 + f[y, clamp m (x + 2)])

-- One stage, its clamps in both orders.
entry alone [h] [w] [n] [m] (img: [h][w]i32) (_: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\y x -> clamped img (y - 7) (x - 9) + 7 * img[i64.min (h - 1) (i64.max 0 (y - 5)), i64.min (w - 1) x])
-- In front of others.
entry extended [h] [w] [n] [m] (img: [h][w]i32) (_: [n][m]i32) : [n][m]i32 =
  columns (rows (tabulate_2d n m (\y x -> clamped img (y - 7) (x - 9))))
-- Sampled, and with colours.
entry sampled [h] [w] [n] [m] (img: [h][w]i32) (_: [n][m]i32) : [3][n][m]i32 =
  map columns (tabulate_3d 3 n m (\c y x -> clamped img (2 * y - 3) (2 * x + 1) * i32.i64 (c + 1) - clamped img (2 * y) (2 * x)))
-- Up to a number that is no size; of an image without rows there is none to read.
entry limited [h] [w] [n] [m] (img: [h][w]i32) (_: [n][m]i32) : [n][m]i32 =
  columns (rows (tabulate_2d n m (\y x -> img[i64.max 0 (i64.min (h / 8 + 1) (y - 7)), i64.max 0 (i64.min (w / 2) (x - 9))])))
)";

class Borders : public BesideFuthark {
 protected:
  Borders() : BesideFuthark(kProgram) {}
};

TEST_F(Borders, OfImagesThatAreSmallerAndLarger) {
  const std::vector<std::pair<const char*, const char*>> sizes = {
      {"[1][1]", "[0][5]"},       {"[1][1]", "[1][1]"},        {"[3][50]", "[97][131]"},    {"[50][3]", "[97][131]"},
      {"[90][120]", "[97][131]"}, {"[300][300]", "[97][131]"}, {"[131][200]", "[160][300]"}};
  for (const auto& [img, result] : sizes) {
    for (const char* entry : {"alone", "extended", "sampled"})
      expect_same(entry, {fmt::format("{}i32", img), fmt::format("{}i32", result)});
  }
}

TEST_F(Borders, OfPartsOfImages) {
  for (const char* result : {"[0][5]", "[1][1]", "[97][131]"})
    expect_same("limited", {"[90][120]i32", fmt::format("{}i32", result)});
  expect_same("limited", {"[1][3]i32", "[7][5]i32"});
  expect_same("limited", {"[1][3]i32", "[97][5]i32"}, 1);
  expect_same("limited", {"[0][3]i32", "[0][5]i32"});
  expect_same("limited", {"[0][3]i32", "[4][5]i32"}, 1);
}

}  // namespace
