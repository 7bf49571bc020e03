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
def along [d] [h] [w] (r: i64) (v: [d][h][w]i32) : [d][h][w]i32 =
  map (map (\row -> tabulate w (\x -> loop a = i32.lowest for j in i64.max 0 (x - r) ..< i64.min w (x + r + 1) do i32.max a row[j]))) v
entry columns [d] [h] [w] (r: i64) (v: [d][h][w]i32) : [h][w][d]i32 =
  along r (map transpose (transpose (map transpose (along r (map transpose v)))))
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

// Blocks that each went through a column would read a line of cache for each element, again for each step; threads of all columns together do not.
TEST_F(Transpositions, OfColumnsThatAreReadAgainAndAgain) {
  for (const char* shape : {"[33][35][40]", "[1][1][1]", "[5][70][3]", "[2][0][3]"})
    expect_same("columns", {"3i64", fmt::format("{}i32", shape)});
  const std::string plan = run({HEDDLE, "explain", "program.fut", "--plan"}).out;
  size_t versions_by_blocks = 0;
  for (size_t at = plan.find("teams: chosen"); at != std::string::npos; at = plan.find("teams: chosen", at + 1))
    ++versions_by_blocks;
  EXPECT_EQ(versions_by_blocks, 1u) << plan;  // of planes, whose threads are numbered in a way that says nothing
}

}  // namespace
