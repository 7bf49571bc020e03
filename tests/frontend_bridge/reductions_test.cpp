// Reductions by blocks of threads.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

// On integers, for which the order of a sum does not matter; where the operator is not commutative, it does.
const std::string kProgram = R"(
def best (a, i) (b, j) = if a > b then (a, i) else if b > a then (b, j) else (a, i64.min i j)
def product (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h) : (i32, i32, i32, i32)

entry sum [n] (xs: [n]i32) : i32 = i32.sum xs
entry narrow [n] (xs: [n]i32) : (i8, bool) = (i8.sum (map i8.i32 xs), or (map (> 8) xs))
entry dots [n] (xs: [n]i8) (ys: [n]i8) : (i8, i8) =
  let dot xs ys = i8.sum (map2 (*) xs ys) in (dot xs ys, dot xs[1:] ys[:n - 1])
entry largest [n] (xs: [n]i32) : (i32, i64) = reduce_comm best (i32.lowest, i64.highest) (zip xs (iota n))
entry in_order [n] (xs: [n]i32) : (i32, i32, i32, i32) = reduce product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) xs)
def product_mod (a, b, c, d) (e, f, g, h) =
  ((a*e + b*g) % 10007, (a*f + b*h) % 10007, (c*e + d*g) % 10007, (c*f + d*h) % 10007) : (u32, u32, u32, u32)
entry in_long_steps [n] (xs: [n]i32) : (u32, u32, u32, u32) =
  reduce product_mod (1, 0, 0, 1) (map (\x -> (u32.i32 (x & 1023), 1, 1, 3)) xs)
def among x (a, b, c) : (i32, i32, i32) = if x > a then (x, a, b) else if x > b then (a, x, b) else if x > c then (a, b, x) else (a, b, c)
entry best_three [n] (xs: [n]i32) : (i32, i32, i32) =
  let least = (i32.lowest, i32.lowest, i32.lowest)
  in reduce_comm (\(a, b, c) best -> among a (among b (among c best))) least (map (\x -> (x, i32.lowest, i32.lowest)) xs)
entry and_mapped [n] (xs: [n]i32) : (i32, [n]i32) = let ys = map (\x -> x * x - 1) xs in (i32.sum ys, ys)
entry tiles_in_order [n] (xs: [n]i32) (ys: [n]i32) : (i32, i32, i32, i32) =
  reduce product (1, 0, 0, 1) (map2 (\x y -> (x, 1, y, x - 3)) xs ys)
entry tiles_and_mapped [n] (xs: [n]i32) (ys: [n]i32) : (i32, [n]i32) =
  let zs = map2 (\x y -> x - 3 * y) xs ys in ((reduce product (1, 0, 0, 1) (map (\z -> (z, 1, z, 2)) zs)).2, zs)
#[incremental_flattening(only_inner)]
entry rows [n] [m] (xs: [n][m]i32) : [n]i32 = map i32.sum xs
#[incremental_flattening(only_inner)]
entry rows_in_order [n] [m] (xs: [n][m]i32) : [n]i32 =
  map (\row -> (reduce product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) row)).1) xs
#[incremental_flattening(only_inner)]
entry row_tiles_in_order [n] [m] (xs: [n][m]i32) (ys: [n][m]i32) : [n]i32 =
  map2 (\r s -> (reduce product (1, 0, 0, 1) (map2 (\x y -> (x, 1, y, x - 3)) r s)).1) xs ys
entry looked_up [n] [w] [m] (as: [n][w]i32) (at: [m]u8) : [n]i32 =
  map (\a -> i32.maximum (map (\i -> a[i64.u8 i]) at)) as
entry rows_of_four [n] [m] (as: [n][m]i32) (bs: [n][m]i32) (cs: [n][m]i32) (ds: [n][m]i32) : [n]i32 =
  map4 (\a b c d -> (reduce product (1, 0, 0, 1) (zip4 a b c d)).1) as bs cs ds
entry columns_of_four [n] [m] (as: [m][n]i32) (bs: [m][n]i32) (cs: [m][n]i32) (ds: [m][n]i32) : [n]i32 =
  map4 (\a b c d -> (reduce product (1, 0, 0, 1) (zip4 a b c d)).1) (transpose as) (transpose bs) (transpose cs) (transpose ds)
#[incremental_flattening(only_inner)]
entry rows_and_mapped [n] [m] (xs: [n][m]i32) : ([n]i32, [n][m]i32) =
  unzip (map (\row -> let ys = map (* 2) row in (i32.sum ys, ys)) xs)
entry planes [l] [n] [m] (xs: [l][n][m]i32) : ([l][n]i32, [l][n]i64) =
  unzip (map (\rows -> unzip (map (\row -> reduce_comm best (i32.lowest, i64.highest) (zip row (iota m))) rows)) xs)
#[incremental_flattening(only_inner)]
entry backwards [n] [m] (xs: [n][m]i32) : [n]i32 = map (\row -> i32.sum (map (\i -> row[m - 1 - i]) (iota m))) xs
#[incremental_flattening(only_inner)]
entry columns [n] [m] (xs: [n][m]i32) : ([m]i32, [m]i32) =
  let sums = map i32.sum (transpose xs)
  in (sums, map2 (\column sum -> i32.maximum (map (\x -> x * sum) column)) (transpose xs) sums)
#[incremental_flattening(only_inner)]
entry weighted [n] [m] (ws: [n]i32) (xs: [n][m]i32) : ([m]i32, [m]i64) =
  unzip (map (\c -> reduce_comm best (i32.lowest, i64.highest) (zip (map2 (*) ws c) (iota n))) (transpose xs))
#[incremental_flattening(only_inner)]
entry places [n] [m] (xs: [n][m]i32) : ([m]i32, [m]i64) =
  unzip (map (\column -> reduce_comm best (i32.lowest, i64.highest) (zip column (iota n))) (transpose xs))
#[incremental_flattening(only_inner)]
entry layers [l] [n] [m] (xs: [l][n][m]i32) : [l][m]i32 = map (\rows -> map i32.sum (transpose rows)) xs
def folded x = loop a = x for i < x & 7 do a * 3 + i
entry with_loops [n] (xs: [n]i32) : (i32, [n]i32) = let ys = map folded xs in (i32.sum ys, ys)
#[incremental_flattening(only_inner)]
entry rows_with_loops [n] [m] (xs: [n][m]i32) : [n]i32 = map (\row -> i32.maximum (map folded row)) xs
entry failing [n] (xs: [n]i32) (ys: []i64) : i32 = i32.sum (map (\i -> xs[i]) ys)
#[incremental_flattening(only_inner)]
entry moved [n] [m] (by: i64) (xs: [n][m]i32) : [n]i32 =
  map (\row -> i32.sum (tabulate m (\j -> if j < by then 0 else row[j - by] * row[j]))) xs
)";

class Reductions : public BesideFuthark {
 protected:
  Reductions() : BesideFuthark(kProgram) {}
};

TEST_F(Reductions, OfWholeArrays) {
  // Around a block, and so many that there are several chunks, the last of which is not full.
  for (int n : {0, 1, 2, 3, 31, 255, 256, 257, 2047, 2049, 10007}) {
    for (const char* entry :
         {"sum", "narrow", "largest", "in_order", "in_long_steps", "best_three", "and_mapped", "with_loops"}) {
      expect_same(entry, {fmt::format("[{}]i32", n)});
    }
    for (const char* entry : {"tiles_in_order", "tiles_and_mapped"})
      expect_same(entry, {fmt::format("[{}]i32", n), fmt::format("[{}]i32", n)});
  }
}

// So many chunks that threads of the last block hear of several others.
TEST_F(Reductions, OfManyBlocks) {
  for (const char* entry : {"sum", "in_order", "in_long_steps", "best_three", "with_loops"}) {
    for (int n : {300007, 1100003}) expect_same(entry, {fmt::format("[{}]i32", n)});
  }
  expect_same("largest", {"[600011]i32"});
}

TEST_F(Reductions, OfSegments) {
  struct Shape {
    int segments, width;
  };
  for (const Shape s : {Shape{0, 3}, {3, 0}, {1, 1}, {7, 2}, {300, 3}, {5, 127}, {33, 129}, {2, 4099}}) {
    const std::string rows = fmt::format("[{}][{}]i32", s.segments, s.width);
    for (const char* entry : {"rows", "rows_in_order", "rows_and_mapped", "backwards", "rows_with_loops"})
      expect_same(entry, {rows});
    expect_same("row_tiles_in_order", {rows, rows});
    expect_same("planes", {fmt::format("[3][{}][{}]i32", s.segments, s.width)});
  }
}

// Columns fewer than a warp's threads, as many, and more; chunks, of which blocks tell each other.
TEST_F(Reductions, OfColumns) {
  for (const char* rows : {"[0][3]i32", "[3][0]i32", "[1][1]i32", "[9][2]i32", "[300][3]i32", "[77][32]i32",
                           "[129][33]i32", "[5][700]i32", "[20011][7]i32", "[5003][256]i32"}) {
    for (const char* entry : {"columns", "places"}) expect_same(entry, {rows});
  }
  for (const char* layers : {"[3][40][5]i32", "[2][1500][70]i32"}) expect_same("layers", {layers});
  for (int n : {0, 1, 33, 5003}) expect_same("weighted", {fmt::format("[{}]i32", n), fmt::format("[{}][70]i32", n)});
  // Neighbouring threads have neighbouring columns, whatever else all columns read alike.
  ProcessResult kernels = run({HEDDLE, "compile", "program.fut", "--emit=cuda"});
  std::string weighted =
      kernels.out.substr(std::min(kernels.out.find("HD_KERNEL(entry_weighted_segred"), kernels.out.size()));
  EXPECT_LT(weighted.find("const int64_t lane_"), weighted.find("const int64_t row_"));
}

// So many that a thread reads several at once, which it may only where each array begins at a multiple of as many.
TEST_F(Reductions, OfPairsByWords) {
  for (int n : {1, 10007, 700'003, 1'300'000})
    expect_same("dots", {fmt::format("[{}]i8", n), fmt::format("[{}]i8", n)});
  ProcessResult kernels = run({HEDDLE, "compile", "program.fut", "--emit=cuda"});
  EXPECT_NE(kernels.out.find("hd_move("), std::string::npos);
}

// So many elements that a few threads have a segment, and each several.
TEST_F(Reductions, OfManyShortRows) {
  for (const char* rows : {"[140009][17]i32", "[30000][77]i32", "[2200][1003]i32"}) expect_same("rows", {rows});
}

// Thresholds say that there are enough rows for a thread each, which suits short ones.
TEST_F(Reductions, OfManyRowsOfSeveralArrays) {
  for (const char* rows : {"[300][7]i32", "[300][8]i32", "[41][70]i32", "[3][0]i32"})
    expect_same("rows_of_four", {rows, rows, rows, rows});
  expect_same("looked_up", {"[300][256]i32", "[20]u8"});
  expect_same("columns_of_four", {"[9][300]i32", "[9][300]i32", "[9][300]i32", "[9][300]i32"});
  ProcessResult host = run({HEDDLE, "compile", "program.fut", "--emit=host-ir"});
  auto times = [&](const std::string& condition) {
    int found = 0;
    for (size_t at = 0; (at = host.out.find(condition, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  // Of those, of row_tiles_in_order, and of one array where the operator is commutative, but not of columns, nor of looked_up, whose elements
  // blocks do not read, but would be given by a kernel of their own.
  EXPECT_EQ(times("let shorter_"), 5);
  EXPECT_EQ(times(" < 8;"), 1);
  EXPECT_EQ(times(" < 16;"), 2);
}

// Threads that fail must not leave others waiting at a barrier.
TEST_F(Reductions, MayFail) {
  expect_same("failing", {"[1000]i32", "[1000]i64"});
  expect_same("failing", {"[5]i32", "[50]i64"}, 1);
}

// Where the host knows that none does, elements are combined where they are computed; else they are stored before.
TEST_F(Reductions, MayFailForSomeNumbers) {
  for (const char* by : {"0i64", "3i64", "500i64"}) expect_same("moved", {by, "[20][400]i32"});
  expect_same("moved", {"-1i64", "[3][400]i32"}, 1);
  expect_same("moved", {"-1i64", "[3][0]i32"});
  // Once from where they are computed, once from memory.
  ProcessResult r = run({HEDDLE, "explain", "program.fut"});
  int reductions = 0;
  for (size_t at = 0; (at = r.out.find("kernel entry_moved_segred_", at)) != std::string::npos; ++at) ++reductions;
  EXPECT_EQ(reductions, 2) << r.out;
}

TEST_F(Reductions, AreExplained) {
  ProcessResult r = run({HEDDLE, "explain", "program.fut"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("recipe: reduction by blocks of threads"), std::string::npos) << r.out;
}

}  // namespace
