// Scans and histograms by a processor's cores: one, a few, and so many that they update atomically.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def product (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h) : (i32, i32, i32, i32)
def latest (a: i64, p) (b: i64, q) = if q then (b, q) else (a, p)
def line (a, b) (c, d) : (f64, f64) = (a * c, b * c + d)

entry sums [n] (xs: [n]i32) : ([n]i32, [n]i8, [n]f64) = (scan (+) 0 xs, scan (+) 0 (map i8.i32 xs), scan (+) 0 (map f64.i32 xs))
entry choices [n] (xs: [n]i32) : ([n]f64, [n]bool, [n]f16) =
  (scan f64.max (-f64.inf) (map f64.i32 xs), scan (!=) false (map (> 2) xs), scan f16.min f16.inf (map f16.i32 xs))
entry one_of_several [n] (xs: [n]i32) : ([n]i32, [n]f64, [n]i64) =
  let sign x = f64.i32 (1 - 2 * (x & 1))
  in (map (.1) (scan product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) xs)), map (.1) (scan line (1, 0) (map (\x -> (sign x, f64.i32 x)) xs)),
      map (.0) (scan latest (-1, false) (map2 (\i x -> (i, x > 5)) (iota n) xs)))
entry lines [n] (xs: [n]i32) : ([n]f64, [n]f64) = unzip (scan line (1, 0) (map (\x -> (f64.i32 (1 - 2 * (x & 1)), f64.i32 x)) xs))
entry and_mapped [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]f32, [n]f32) =
  let ys = map (\x -> x * x - 1) xs let zs = map f32.i32 xs in (scan (+) 0 ys, ys, scan (+) 0 zs, zs)
entry rows [n] [m] (xs: [n][m]i32) : ([n][m]i32, [n][m]f32, [n][m]i64) =
  (map (scan (+) 0) xs, map (\row -> scan (+) 0 (map f32.i32 row)) xs,
   map (\row -> map (.0) (scan latest (-1, false) (map2 (\i x -> (i, x > 5)) (iota m) row))) xs)
entry planes [l] [n] [m] (xs: [l][n][m]i32) : ([l][n][m]i32, [l][n][m]f64) =
  (map (map (scan (+) 0)) xs, map (map (\row -> scan (+) 0 (map f64.i32 row))) xs)
entry of_rows [n] [m] (xs: [n][m]i32) : ([n][m]i32, [n][m]f64, [n][m]i32) =
  (scan (map2 i32.max) (replicate m i32.lowest) xs, scan (map2 (+)) (replicate m 0) (map (map f64.i32) xs),
   scan (map2 (+)) (replicate m 0) (map (\row -> loop r = copy row for i < m do r with [i] = r[i] + 3) xs))
entry of_rows_of_planes [l] [n] [m] (xs: [l][n][m]i32) : [l][n][m]i32 = map (\x -> scan (map2 (+)) (replicate m 0) x) xs
entry reduced_rows [n] [m] (xs: [n][m]i32) : ([n]i32, [n]f64, [n]i32, [n]i32) =
  (map (reduce (+) 0) xs, map (\row -> reduce (+) 0 (map f64.i32 row)) xs, map (\row -> (reduce product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) row)).1) xs,
   map (\row -> reduce (+) 0 (scan (+) 0 row)) xs)
entry sorted [n] (xs: [n]i32) : [n]i32 =
  loop xs = copy xs for i < 4 do
    let bits = map (\x -> (x + 16) >> (2 * i) & 3) xs
    let ranks = scan (\(a, b, c, d) (e, f, g, h) -> (a + e, b + f, c + g, d + h)) (0, 0, 0, 0)
                     (map (\b -> (i64.bool (b == 0), i64.bool (b == 1), i64.bool (b == 2), i64.bool (b == 3))) bits)
    let (p, q, r) = reduce_comm (\(a, b, c) (e, f, g) -> (a + e, b + f, c + g)) (0, 0, 0)
                                (map (\b -> (i64.bool (b == 0), i64.bool (b == 1), i64.bool (b == 2))) bits)
    let place b (s, t, u, v) = if b == 0 then s - 1 else if b == 1 then p + t - 1 else if b == 2 then p + q + u - 1 else p + q + r + v - 1
    in scatter (replicate n 0) (map2 place bits ranks) xs
entry failing [n] (xs: [n]i32) (ys: []i64) : []i32 = scan (+) 0 (map (\i -> xs[i]) ys)
entry rounded [n] (xs: [n]i32) : ([n]f32, [n]f64, [n]i64) =
  (scan (+) 0 (map (\x -> 1 / f32.i32 (x * x + 3)) xs), map (.1) (scan line (1, 0) (map (\x -> (0.7 - 1 / f64.i32 (x + 20), 1 / f64.i32 (x + 11))) xs)),
   map (.1) (scan (\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (-f32.inf, -1) (map2 (\x i -> (if i % 70001 == 77 then f32.nan else f32.i32 x, i)) xs (iota n))))

entry reduced_scans [n] [m] (xs: [n][m]i32) : ([n]i32, [n]f64) =
  (map (\row -> i32.maximum (scan (+) 0 (map (* 3) row))) xs, map (\row -> f64.sum (scan f64.min 9 (map f64.i32 row))) xs)
entry settled [n] (xs: [n]i32) : ([n]i32, i64, [8]i32, [n]i32) =
  loop (ys, k, bins, sums) = (copy xs, 0, replicate 8 0, copy xs) while k < 12 && reduce i32.max i32.lowest ys > 3 do
    let most = reduce i32.max i32.lowest ys
    let zs = map (\y -> if y == most then y / 2 else y) ys
    in (zs, k + 1, reduce_by_index bins (+) 0 (map (\z -> i64.i32 (z & 7)) zs) zs, scan (+) 0 (map2 (+) sums (rotate 1 zs)))
entry rows_of_steps [n] [m] (xs: [n][m]i32) : ([n][m]i32, [6]i32, i32) =
  loop (ys, totals, s) = (copy xs, replicate 6 0, 0) for i < 6 do
    let sums = map (reduce (+) s) ys
    let zs = map2 (\t row -> scan (+) 0 (map (\y -> y * 3 + t) row)) sums ys
    let total = reduce (+) 0 sums
    in (zs, totals with [i] = total, s + total)
entry fails_in_a_step [n] [k] (xs: [n]i32) (ys: [k]i64) : [k]i64 =
  loop zs = copy ys for i < 3i32 do
    let m = reduce i64.max 0 zs
    in map (\z -> if i == 2 then i64.i32 xs[z + m] else z & 3) zs

def place [n] (k: i32) (xs: [n]i32) : [n]i64 = map2 (\x i -> i64.i32 ((x + 9) * k) + i % 3) xs (iota n)
entry few_of_many_bins [n] (xs: [n]i32) : ([9000]i32, [9000]i8, [9000]f32, [9000]i64, [9000]u16) =
  let is = place 450 xs
  in (reduce_by_index (replicate 9000 0) (+) 0 is xs, reduce_by_index (replicate 9000 1) (+) 0 is (map i8.i32 xs),
      reduce_by_index (replicate 9000 2) (+) 0 is (map f32.i32 xs), reduce_by_index (replicate 9000 0) i64.max 0 is (map i64.i32 xs),
      reduce_by_index (replicate 9000 0) (\a b -> u16.min 5 (a + b)) 0 is (map (\x -> u16.i32 x & 3) xs))
entry few_bins [n] (xs: [n]i32) : ([20]i32, [20]f64) =
  let is = place 1 xs in (reduce_by_index (replicate 20 0) (+) 0 is xs, reduce_by_index (replicate 20 1) (+) 0 is (map f64.i32 xs))
)";

class OnCores : public BesideFuthark {
 protected:
  OnCores() : BesideFuthark(kProgram, {}, "cpu") {
    in_environments({"HEDDLE_THREADS=1", "HEDDLE_THREADS=3", "HEDDLE_THREADS=8"});
  }
};

// Around what is a chunk, and so many that cores wait for each other.
TEST_F(OnCores, ScansOfWholeArrays) {
  for (int n : {0, 1, 2, 63, 64, 65, 1000, 300001}) {
    for (const char* entry : {"sums", "choices", "one_of_several", "lines", "and_mapped", "sorted"})
      expect_same(entry, {fmt::format("[{}]i32", n)});
  }
}

TEST_F(OnCores, ScansOfRows) {
  struct Shape {
    int rows, width;
  };
  for (const Shape s :
       {Shape{0, 3}, {3, 0}, {1, 1}, {7, 20011}, {63, 100}, {64, 100}, {600, 33}, {9001, 1}, {2000, 5}, {30, 1000}}) {
    for (const char* entry : {"rows", "of_rows", "reduced_rows"})
      expect_same(entry, {fmt::format("[{}][{}]i32", s.rows, s.width)});
    for (const char* entry : {"planes", "of_rows_of_planes"})
      expect_same(entry, {fmt::format("[3][{}][{}]i32", s.rows, s.width)});
  }
}

TEST_F(OnCores, ScansThatMayFail) {
  expect_same("failing", {"[1000]i32", "[300000]i64"});
  expect_same("failing", {"[5]i32", "[300000]i64"}, 1);
}

TEST_F(OnCores, ReducedScansOfManyRows) {
  for (const char* rows : {"[0][3]i32", "[600][0]i32", "[511][7]i32", "[512][7]i32", "[3000][33]i32", "[2][5000]i32"})
    expect_same("reduced_scans", {rows});
}

// Those of few and short steps are run by one thread.
TEST_F(OnCores, Loops) {
  for (int n : {0, 1, 2, 63, 500, 1500, 20000}) expect_same("settled", {fmt::format("[{}]i32", n)});
  for (const char* rows : {"[0][3]i32", "[3][0]i32", "[1][1]i32", "[7][5]i32", "[30][20]i32", "[300][200]i32"})
    expect_same("rows_of_steps", {rows});
  expect_same("fails_in_a_step", {"[20]i32", "[50]i64"});
  expect_same("fails_in_a_step", {"[2]i32", "[50]i64"}, 1);
}

// What is rounded is rounded alike, whoever is how fast, and who is chosen beside what is no number is chosen always.
TEST_F(OnCores, ScansThatRoundDoSoAlways) {
  const std::string data = run({FUTHARK, "dataset", "--i32-bounds=0:9", "-g", "[400001]i32"}).out;
  auto results = [&](const std::string& threads, const std::string& runs = "1") {
    return run({"env", "HEDDLE_THREADS=" + threads, "./program", "-b", "-e", "rounded", "-r", runs}, data).out;
  };
  const std::string one = results("1");
  EXPECT_GT(one.size(), size_t{400001 * 12});
  for (const char* threads : {"2", "5", "5"}) EXPECT_TRUE(results(threads) == one) << threads;
  // Launches that took several threads longer are left to one for a while.
  for (const char* threads : {"2", "5"}) EXPECT_TRUE(results(threads, "40") == one) << threads;
}

TEST_F(OnCores, Histograms) {
  for (int n : {0, 1, 1000, 200001}) {
    for (const char* entry : {"few_of_many_bins", "few_bins"}) expect_same(entry, {fmt::format("[{}]i32", n)});
  }
}

}  // namespace
