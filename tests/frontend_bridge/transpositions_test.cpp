// Copies that are transpositions, by tiles.
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

}  // namespace
