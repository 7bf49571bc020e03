// Copies that are transpositions, by tiles, and points that read so.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
entry bytes [n] [m] (xs: [n][m]i8) : [m][n]i8 = transpose xs
entry shorts [n] [m] (xs: [n][m]u16) : [m][n]u16 = transpose xs
entry ints [n] [m] (xs: [n][m]i32) : [m][n]i32 = transpose xs
entry longs [n] [m] (xs: [n][m]i64) : [m][n]i64 = transpose xs
entry cubes [k] [n] [m] (xs: [k][n][m]i8) : [k][m][n]i8 = map transpose xs
entry parts [n] [m] (xs: [n][m]i8) : ([][]i8, [][]i8, [][]i8) =
  (copy (transpose xs[4:, 8:m - 4]), copy (transpose xs[:, 3:]), copy (transpose xs[::-1, :]))
entry around [n] [m] (r: i64) (xs: [n][m]i32) (ys: [m][n]i32) : [n][m]i32 =
  tabulate_2d n m (\i j -> xs[i, j] + ys[j, i64.min (n - 1) (i + r)] - ys[i64.max 0 (j - r), i])
entry layers [k] [n] [m] (r: i64) (xs: [k][m][n]i32) : [k][n][m]i32 =
  tabulate_3d k n m (\l i j -> xs[l, j, i64.min (n - 1) (i + r)] - xs[l, i64.max 0 (j - r), i])
)";

class Transpositions : public BesideFuthark {
 protected:
  Transpositions() : BesideFuthark(kProgram) {}
};

// Tiles by elements and by words, whole ones and not, thin ones, and elements that are not at multiples of a word.
TEST_F(Transpositions, OfAllSizesOfElements) {
  for (const char* shape : {"[0][5]", "[3][1000]", "[1000][3]", "[64][64]", "[64][128]", "[132][260]", "[500][300]",
                            "[301][500]", "[500][302]", "[66][70]"}) {
    expect_same("bytes", {fmt::format("{}i8", shape)});
    expect_same("shorts", {fmt::format("{}u16", shape)});
    expect_same("ints", {fmt::format("{}i32", shape)});
    expect_same("longs", {fmt::format("{}i64", shape)});
  }
}

TEST_F(Transpositions, OfSeveralMatricesAndOfParts) {
  for (const char* shape : {"[128][132]", "[129][131]", "[76][400]"}) {
    expect_same("cubes", {fmt::format("[3]{}i8", shape)});
    expect_same("parts", {fmt::format("{}i8", shape)});
  }
}

// By points of which neighbours read far apart: their tiles stand upright. What the host does not know to be in the array each point checks.
TEST_F(Transpositions, OfWhatPointsRead) {
  struct Shape {
    int n, m;
  };
  for (auto [n, m] : {Shape{1, 300}, {300, 1}, {37, 70}, {64, 64}, {3, 5}, {0, 4}, {4, 0}}) {
    expect_same("around", {"3i64", fmt::format("[{}][{}]i32", n, m), fmt::format("[{}][{}]i32", m, n)});
    expect_same("layers", {"2i64", fmt::format("[3][{}][{}]i32", m, n)});
  }
  expect_same("around", {"-50i64", "[37][40]i32", "[40][37]i32"}, 1);
}

}  // namespace
