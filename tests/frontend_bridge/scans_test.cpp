// Scans by blocks of threads that wait for each other.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def product (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h) : (i32, i32, i32, i32)
def latest (a: i64, p) (b: i64, q) = if q then (b, q) else (a, p)

entry sums [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs
entry of_all_types [n] (xs: [n]i32) : ([n]i8, [n]f64, [n]bool, [n]f16) =
  (scan (+) 0 (map i8.i32 xs), scan f64.max (-f64.inf) (map f64.i32 xs), scan (!=) false (map (> 2) xs),
   scan f16.min f16.inf (map f16.i32 xs))
entry in_order [n] (xs: [n]i32) : [n]i32 = map (.1) (scan product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) xs))
entry latest_of [n] (xs: [n]i32) : ([n]i64, [n]bool) = unzip (scan latest (-1, false) (map2 (\i x -> (i, x > 5)) (iota n) xs))
def by_flags [n] 't (op: t -> t -> t) (zero: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  map (.1) (scan (\(f, a) (g, b) -> (f || g, if g then b else a `op` b)) (false, zero) (zip flags xs))
entry of_segments [n] (xs: [n]i32) : [n]i16 = by_flags (+) 0 (map (> 7) xs) (map i16.i32 xs)
entry of_some [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let (as, _, _, ds) = unzip4 (scan product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) xs)) in (as, ds)
def product64 (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h) : (i64, i64, i64, i64)
def least (x: i64, i: i64) (y, j) = if y < x then (y, j) else (x, i)
def matrix (x: i32) = (i64.i32 x, 1i64, 2i64, i64.i32 (x - 3))
entry of_six [n] (xs: [n]i32) : ([n]i64, [n]i64, [n]i64) =
  scan (\(p, a) (q, b) -> (product64 p q, least a b)) ((1, 0, 0, 1), (i64.highest, -1)) (map2 (\x i -> (matrix x, (i64.i32 x, i))) xs (iota n))
  |> map (\(p, a) -> (p.0, p.3, a.1)) |> unzip3
entry of_twelve [n] (xs: [n]i32) : ([n]i64, [n]i64, [n]i64) =
  scan (\(p, q, r) (x, y, z) -> (product64 p x, product64 y q, product64 r z)) ((1, 0, 0, 1), (1, 0, 0, 1), (1, 0, 0, 1))
       (map (\x -> (matrix x, matrix (x + 1), matrix (2 * x))) xs)
  |> map (\(p, q, r) -> (p.1, q.2, r.3)) |> unzip3
entry and_mapped [n] (xs: [n]i32) : ([n]i32, [n]i32) = let ys = map (\x -> x * x - 1) xs in (scan (+) 0 ys, ys)
#[incremental_flattening(only_inner)]
entry rows [n] [m] (xs: [n][m]i32) : [n][m]i32 = map (scan (+) 0) xs
#[incremental_flattening(only_inner)]
entry rows_in_order [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  map (\row -> map (.1) (scan product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) row))) xs
#[incremental_flattening(only_inner)]
entry segments_of_rows [n] [m] (xs: [n][m]i32) : [n][m]i32 = map (\row -> by_flags (+) 0 (map (> 7) row) row) xs
#[incremental_flattening(only_inner)]
entry planes [l] [n] [m] (xs: [l][n][m]i32) : [l][n][m]i32 = map (map (scan (+) 0)) xs
#[incremental_flattening(only_inner)]
entry rows_and_mapped [n] [m] (xs: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  unzip (map2 (\row k -> let ys = map (\x -> x * k + xs[0, m - 1]) row in (scan (+) 0 ys, ys)) xs (map (\row -> row[0]) xs))
entry of_columns [n] [m] (xs: [n][m]i32) : ([n][m]i32, [n][m]i32) =
  (scan (map2 (+)) (replicate m 0) (map (\row -> loop r = copy row for i < m do r with [i] = r[i] + 3) xs), scan (map2 i32.max) (replicate m i32.lowest) xs)
entry columns_from [n] [m] (xs: [n][m]i32) : [n][m]i32 = scan (map2 i32.max) (map i32.minimum (transpose xs)) xs
entry columns_of_planes [l] [n] [m] (xs: [l][n][m]i32) : [l][n][m]i32 = map (\x -> scan (map2 (+)) (replicate m 0) x) xs
entry failing [n] (xs: [n]i32) (ys: []i64) : []i32 = scan (+) 0 (map (\i -> xs[i]) ys)
entry moved [n] (by: i64) (xs: [n]i32) : [n]i32 = scan (+) 0 (tabulate n (\j -> if j < by then 0 else xs[j - by] * xs[j]))
)";

class Scans : public BesideFuthark {
 protected:
  Scans() : BesideFuthark(kProgram) {}
};

// Around a thread's items, a tile, and so many tiles that more are looked back at than a warp has lanes.
TEST_F(Scans, OfWholeArrays) {
  for (int n : {0, 1, 2, 18, 19, 20, 33, 4863, 4864, 4865, 10007}) {
    for (const char* entry :
         {"sums", "of_all_types", "in_order", "latest_of", "of_segments", "of_some", "and_mapped"}) {
      expect_same(entry, {fmt::format("[{}]i32", n)});
    }
  }
  expect_same("sums", {"[200001]i32"});
}

// Of which a block of 256 threads has room for two each, and none for one each.
TEST_F(Scans, OfLargeElements) {
  for (int n : {0, 1, 255, 256, 257, 511, 512, 513, 10007}) {
    for (const char* entry : {"of_six", "of_twelve"}) expect_same(entry, {fmt::format("[{}]i32", n)});
  }
}

TEST_F(Scans, OfRows) {
  struct Shape {
    int rows, width;
  };
  for (const Shape s : {Shape{0, 3},
                        {3, 0},
                        {1, 1},
                        {700, 2},
                        {5, 127},
                        {33, 256},
                        {2, 20011},
                        {3, 4864},
                        {9001, 1},
                        {1001, 19},
                        {999, 20},
                        {2050, 3}}) {
    for (const char* entry : {"rows", "rows_in_order", "segments_of_rows", "of_columns", "columns_from"})
      expect_same(entry, {fmt::format("[{}][{}]i32", s.rows, s.width)});
    if (s.rows > 0 && s.width > 0) expect_same("rows_and_mapped", {fmt::format("[{}][{}]i32", s.rows, s.width)});
    for (const char* entry : {"planes", "columns_of_planes"})
      expect_same(entry, {fmt::format("[3][{}][{}]i32", s.rows, s.width)});
  }
}

TEST_F(Scans, MayFailForSomeNumbers) {
  for (const char* by : {"0i64", "3i64", "5000i64"}) expect_same("moved", {by, "[4999]i32"});
  expect_same("moved", {"-1i64", "[300]i32"}, 1);
}

// Threads that fail must not leave others waiting at a barrier, or for a tile.
TEST_F(Scans, MayFail) {
  expect_same("failing", {"[1000]i32", "[1000]i64"});
  expect_same("failing", {"[5]i32", "[5000]i64"}, 1);
}

// Who scans by flags seldom wants the flags.
TEST_F(Scans, StoreWhatSomebodyReads) {
  const std::string program = run({HEDDLE, "compile", "program.fut", "--emit=host-ir"}).out;
  const size_t entry = program.find("entry `of_segments`");
  const std::string body = program.substr(entry, program.find("\n}", entry) - entry);
  EXPECT_NE(body.find("alloc"), std::string::npos);
  EXPECT_EQ(body.find("bool["), std::string::npos) << body;
}

// Blocks that ask again and again keep the memory from those that they wait for.
TEST_F(Scans, RestBeforeTheyAskOthers) {
  const std::string program = run({HEDDLE, "compile", "program.fut"}).out;
  EXPECT_NE(program.find("HD_REST("), std::string::npos);
}

}  // namespace
