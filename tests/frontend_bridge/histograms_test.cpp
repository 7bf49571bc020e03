// Histograms by blocks of threads.
#include <map>

#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
entry flat [n] (xs: [n]i32) : ([10]i32, [300]i32, [20000]i64) =
  let is = map (\x -> i64.i32 x) xs
  in (reduce_by_index (replicate 10 0) (+) 0 is xs, reduce_by_index (replicate 300 5) i32.max i32.lowest (map (\x -> x * 7 + 3) is) xs,
      reduce_by_index (iota 20000) (+) 0 (map2 (\x i -> (x + 9) * 977 + i % 5) is (iota n)) (iota n))
entry small_types [n] (xs: [n]i32) : ([10]i8, [10]bool, [7]f32, [7]u16) =
  let is = map (\x -> i64.i32 x) xs
  in (reduce_by_index (replicate 10 0) (+) 0 is (map i8.i32 xs), reduce_by_index (replicate 10 false) (||) false is (map (> 5) xs),
      reduce_by_index (replicate 7 0) f32.max (-f32.inf) is (map f32.i32 xs), reduce_by_index (replicate 7 3) (\a b -> a * b) 1 is (map u16.i32 xs))
entry truths [n] (xs: [n]i32) : ([10]bool, [10]bool, [50000]bool, [50000]bool, [50000]bool) =
  let is = map i64.i32 xs
  let js = map2 (\x i -> (x + 9) * 977 + i % 70) is (iota n)
  in (reduce_by_index (replicate 10 false) (||) false is (replicate n true), reduce_by_index (map (> 2) (iota 10)) (&&) true is (map (> 5) xs),
      reduce_by_index (replicate 50000 false) (||) false js (replicate n true), reduce_by_index (replicate 50000 true) (&&) true js (map (> 5) xs),
      reduce_by_index (map (\i -> i % 3 == 0) (iota 50000)) (!=) false js (map (> 5) xs))
entry narrow [n] (xs: [n]i32) : ([10]i8, [50000]u8, [50000]i16, [10]u16, [50000]u8, [10]i8, [50000]f16) =
  let is = map i64.i32 xs
  let js = map2 (\x i -> (x + 9) * 977 + i % 70) is (iota n)
  let numbers = map2 (\x i -> i16.i32 x * 11 + i16.i64 (i % 997)) xs (iota n)
  in (reduce_by_index (replicate 10 (-3)) i8.max i8.lowest is (map i8.i16 numbers), reduce_by_index (replicate 50000 200) u8.min 255 js (map u8.i16 numbers),
      reduce_by_index (replicate 50000 (-3)) i16.max i16.lowest js numbers, reduce_by_index (replicate 10 8) (|) 0 is (map (\x -> u16.i16 x & 0x1b1) numbers),
      reduce_by_index (replicate 50000 255) (&) 255 js (map (\x -> u8.i16 x | 0x91) numbers), reduce_by_index (replicate 10 77) (^) 0 is (map i8.i16 numbers),
      reduce_by_index (replicate 50000 (-3)) f16.max (-f16.inf) js (map f16.i16 numbers))
entry tuples [n] (xs: [n]i32) : ([5]i32, [5]f32, [5]i32) =
  unzip3 (reduce_by_index (zip3 (replicate 5 0) (replicate 5 1) (replicate 5 3)) (\(a, b, c) (d, e, f) -> (a + d, f32.max b e, c * f))
                          (0, -f32.inf, 1) (map i64.i32 xs) (map (\x -> (x, f32.i32 x, x + 1)) xs))
def best (a: i32, i: i32) (b: i32, j: i32) = if b > a || (b == a && j < i) then (b, j) else (a, i)
entry largest [n] (xs: [n]i32) : ([7]i32, [7]i32, [20000]i32, [20000]i32) =
  let numbered = zip xs (map i32.i64 (iota n))
  let (a, b) = unzip (reduce_by_index (replicate 7 (3, -1)) best (i32.lowest, i32.highest) (map (\x -> i64.i32 (x % 8)) xs) numbered)
  let (c, d) = unzip (reduce_by_index (replicate 20000 (0, -1)) best (i32.lowest, i32.highest) (map (\x -> i64.i32 ((x + 9) * 977)) xs) numbered)
  in (a, b, c, d)
entry farthest [n] (xs: [n]i32) : ([7]i64, [7]f64) =
  unzip (reduce_by_index (replicate 7 (-1, 1)) (\(i, a) (j, b) -> if a < b then (j, b) else if a > b then (i, a) else if i < j then (i, a) else (j, b))
                         (i64.highest, -f64.inf) (map (\x -> i64.i32 (x % 8)) xs) (zip (iota n) (map f64.i32 xs)))
entry largest_of_rows [n] [m] (xs: [n][m]i32) : ([n][4]i32, [n][4]i32) =
  unzip (map (\row -> unzip (reduce_by_index (replicate 4 (0, -1)) best (i32.lowest, i32.highest) (map (\x -> i64.i32 (x % 5)) row)
                                            (zip row (map i32.i64 (iota m))))) xs)
def mixed (a: i64, b: i64, c: i64) (d: i64, e: i64, f: i64) = ((a * d - b * e) % 1000003, (a * e + b * d) % 1000003, c + f)
def complex_of (x: i32) = (i64.i32 x, i64.i32 x * 3 + 1, 1i64)
entry products [n] (xs: [n]i32) : ([9]i64, [9]i64, [9]i64) =
  unzip3 (reduce_by_index (zip3 (replicate 9 2) (replicate 9 3) (replicate 9 0)) mixed (1, 0, 0) (map i64.i32 xs) (map complex_of xs))
entry few_products [n] (xs: [n]i32) : ([1]i64, [1]i64, [1]i64, [3]u8, [130]i16) =
  let (a, b, c) = unzip3 (reduce_by_index (zip3 [2] [3] [0]) mixed (1, 0, 0) (map (\x -> i64.i32 (x % 2)) xs) (map complex_of xs))
  in (a, b, c, reduce_by_index (replicate 3 5) (*) 1 (map i64.i32 xs) (map (\x -> u8.i32 x | 1) xs),
      reduce_by_index (replicate 130 5) (*) 1 (map2 (\x i -> i64.i32 x * 13 + i % 3) xs (iota n)) (map (\x -> i16.i32 x | 1) xs))
entry many_products [n] (xs: [n]i32) : ([30000]i64, [30000]i64, [30000]i64) =
  unzip3 (reduce_by_index (zip3 (replicate 30000 2) (replicate 30000 3) (replicate 30000 0)) mixed (1, 0, 0)
                          (map2 (\x i -> i64.i32 x * 977 + i % 5) xs (iota n)) (map complex_of xs))
entry vectors [n] [d] (xs: [n][d]i32) : ([5][d]i32, [5]i32) =
  let is = map (\r -> i64.i32 (r[0] % 6)) xs
  in (reduce_by_index (replicate 5 (replicate d 0)) (map2 (+)) (replicate d 0) is xs, reduce_by_index (replicate 5 0) (+) 0 is (replicate n 1))
entry nearest [n] [d] (xs: [n][d]i32) : ([5][d]i32, [5]i32) =
  let far xs ys = i32.sum (map2 (\x y -> (x - y) * (x - y) % 1000) xs ys)
  let centres = tabulate_2d 5 d (\c j -> i32.i64 (c * 37 + j))
  let of_row x = (reduce (\(i, a) (j, b) -> if a < b || (a == b && i < j) then (i, a) else (j, b)) (0, i32.highest)
                         (zip (iota 5) (map (far x) centres))).0
  let owners = map of_row xs
  in (reduce_by_index (replicate 5 (replicate d 0)) (map2 (+)) (replicate d 0) owners xs, reduce_by_index (replicate 5 0) (+) 0 owners (map (const 1) xs))
entry leaves [n] [d] (xs: [n][d]i32) : [40][8]i32 =
  let leaf (q: i64) (row: [d]i32) = loop bits = 0i64 for l < 3i64 do bits * 2 + i64.bool (row[(q * 7 + l * 5) % d] > i32.i64 (l + q % 5))
  in tabulate 40 (\q -> reduce_by_index (replicate 8 0) (+) 0 (map (leaf q) xs) (map (\r -> r[0]) xs))
entry rows [n] [m] (xs: [n][m]i32) : [n][10]i32 =
  map (\row -> reduce_by_index (replicate 10 0) (+) 0 (map (\x -> i64.i32 x) row) row) xs
entry row_products [n] [m] (xs: [n][m]i32) : ([n][5]i64, [n][5]i64, [n][5]i64) =
  unzip3 (map (\row -> unzip3 (reduce_by_index (zip3 (replicate 5 2) (replicate 5 3) (replicate 5 0)) mixed (1, 0, 0) (map i64.i32 row) (map complex_of row))) xs)
entry planes [n] [m] (xs: [n][m]i32) : [n][3][4]i32 =
  map (\row -> reduce_by_index_2d (replicate 3 (replicate 4 0)) (+) 0 (map (\x -> (i64.i32 (x % 4), i64.i32 (x % 5))) row) row) xs
entry cells [n] (xs: [n]f32) : [n][12]i32 =
  let near i = map (\j -> f32.max 0 (f32.min 1 xs[i64.max 0 (i64.min (n - 1) (i + j - 8))])) (iota 16)
  in tabulate n (\i -> reduce_by_index (replicate 12 3) (+) 0 (map (\v -> i64.f32 (v * 10 + 0.5)) (near i)) (map (const 1) (near i)))
entry narrow_cells [n] (xs: [n]i32) : ([n][16]i8, [n][8]u16, [n][6]f64, [n][32]bool, [n][3][4]i32) =
  let near i = map (\j -> i64.i32 xs[(i + j) % n]) (iota 16)
  let cell i =
    (reduce_by_index (replicate 16 1) (+) 0 (near i) (map i8.i64 (near i)), reduce_by_index (replicate 8 2) (+) 0 (near i) (map u16.i64 (near i)),
     reduce_by_index (replicate 6 0.5) (+) 0 (near i) (map f64.i64 (near i)), reduce_by_index (replicate 32 false) (||) false (near i) (map (> 3) (near i)),
     reduce_by_index_2d (replicate 3 (replicate 4 7)) (+) 0 (map (\v -> (v % 4, v % 5)) (near i)) (map i32.i64 (near i)))
  in unzip5 (tabulate n cell)
entry wide [n] (xs: [n]i32) : ([11000]i32, [3][3700]u32, [5600]i32, [5600]i32) =
  let bin k (x: i32) i = (i64.i32 x * 977 + i * 13) % (k + 7)
  let of k = map2 (bin k) xs (iota n)
  let (a, b) = unzip (reduce_by_index (replicate 5600 (3, -1)) (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (of 5600) (zip xs (map (i32.max 3) xs)))
  in (reduce_by_index (replicate 11000 7) (+) 0 (of 11000) xs,
      reduce_by_index_2d (replicate 3 (replicate 3700 1)) u32.max 0 (map (\x -> (x % 3, x)) (of 3700)) (map u32.i32 xs), a, b)
entry failing [n] (xs: [n]i32) (ys: []i64) : [10]i32 = reduce_by_index (replicate 10 0) (+) 0 (map (\i -> i64.i32 xs[i]) ys) (map (const 1) ys)
)";

class Histograms : public BesideFuthark {
 protected:
  Histograms() : BesideFuthark(kProgram) {}
};

// Bins that fit into shared memory and bins that do not, and numbers that are no bins.
TEST_F(Histograms, OfWholeArrays) {
  for (int n : {0, 1, 5, 1000, 30011}) {
    for (const char* entry : {"flat", "small_types", "truths", "narrow", "tuples", "largest", "farthest", "products",
                              "few_products", "many_products"})
      expect_same(entry, {fmt::format("[{}]i32", n)});
  }
}

// Bins that take most of the memory that a block may have, where there are elements enough.
TEST_F(Histograms, OfBinsForOneBlock) {
  for (int n : {1, 30011, 750011}) expect_same("wide", {fmt::format("[{}]i32", n)});
}

TEST_F(Histograms, OfRowsAndOfVectors) {
  for (const char* shape : {"[0][3]", "[1][1]", "[30][31]", "[2][3001]", "[300][200]", "[700][3]"}) {
    for (const char* entry : {"vectors", "nearest", "leaves", "rows", "planes", "largest_of_rows", "row_products"})
      expect_same(entry, {fmt::format("{}i32", shape)});
  }
}

// Thousands of short segments, a thread for each: bins and elements are known to be there, and bins of all sizes are stored together.
TEST_F(Histograms, OfManyCells) {
  for (int n : {0, 1, 50, 5003}) expect_same("cells", {fmt::format("[{}]f32", n)});
  for (int n : {1, 50, 5003}) expect_same("narrow_cells", {fmt::format("[{}]i32", n)});
}

TEST_F(Histograms, MayFail) {
  expect_same("failing", {"[10]i32", "[1000]i64"});
  expect_same("failing", {"[5]i32", "[1000]i64"}, 1);
}

// What follows from the bins of a segment.
const std::string kFinished = R"(
def near [n] (xs: [n]i32) (i: i64) = tabulate 16 (\j -> xs[i64.max 0 (i64.min (n - 1) (i + j - 8))])
def bins [n] (k: i64) (xs: [n]i32) : [n][k]i32 =
  tabulate n (\i -> reduce_by_index (replicate k 0) (+) 0 (map (\x -> i64.i32 x + 3) (near xs i)) (near xs i))
def smooth b0 b1 b3 : i32 = b0 + 2 * b1 - b3
entry smoothed [n] (xs: [n]i32) : [n][9]i32 =
  let b = bins 12 xs in tabulate_2d n 9 (\i z -> smooth b[i, z] b[i, z + 1] b[i, z + 3])
entry two [n] (xs: [n]i32) : [n][8]i32 =
  let cells = tabulate n (\i -> let is = map (\x -> i64.i32 x + 3) (near xs i)
                                in (reduce_by_index (replicate 12 0) (+) 0 is (near xs i), reduce_by_index (replicate 12 1) i32.max 1 is (map (* 3) (near xs i))))
  let (a, b) = unzip cells
  let sa = tabulate_2d n 8 (\i z -> smooth a[i, z] a[i, z + 1] a[i, z + 3])
  let below = tabulate_2d n 8 (\i z -> sa[i64.max 0 (i - 1), z] - sa[i, z])
  let sb = tabulate_2d n 9 (\i z -> smooth b[i, z + 2] b[i, z + 1] b[i, z])
  in tabulate_2d n 8 (\i z -> below[i64.min (n - 1) (i + 1), z] * sb[i, z] + sb[i64.max 0 (i - 2), z + 1])
entry planes [n] [m] (xs: [n][m]i32) : [n][m][16]i32 =
  let pixel y x i = xs[i64.max 0 (i64.min (n - 1) (y + i / 4 - 2)), i64.max 0 (i64.min (m - 1) (x + i % 4 - 2))]
  let b = tabulate_2d n m (\y x -> let pixels = map (pixel y x) (iota 16)
                                   in reduce_by_index (replicate 16 0) (+) 0 (map (\v -> i64.i32 v + 3) pixels) pixels)
  in tabulate_3d n m 16 (\y x z -> b[y, x, z] + b[y, x, 15 - z])
entry read_twice [n] (xs: [n]i32) : ([n][12]i32, [n][9]i32) =
  let b = bins 12 xs in (b, tabulate_2d n 9 (\i z -> smooth b[i, z] b[i, z + 1] b[i, z + 3]))
entry of_neighbours [n] (xs: [n]i32) : [n][9]i32 =
  let b = bins 12 xs in tabulate_2d n 9 (\i z -> smooth b[i64.min (n - 1) (i + 1), z] b[i, z + 1] b[i, z + 3])
entry with_others [n] (xs: [n]i32) : [n][9]i32 =
  let b = bins 12 xs in tabulate_2d n 9 (\i z -> smooth b[i, z] xs[i] b[i, z + 3])
entry more_points [n] (xs: [n]i32) : [n][13]i32 =
  let b = bins 12 xs in tabulate_2d n 13 (\i z -> smooth b[i, z % 9] b[i, z % 9 + 1] b[i, z % 9 + 3])
)";

class FinishedHistograms : public BesideFuthark {
 protected:
  FinishedHistograms() : BesideFuthark(kFinished) {}
};

// By threads where there are thousands of segments, and else behind the histogram.
TEST_F(FinishedHistograms, ComputeTheSame) {
  for (const char* n : {"[0]i32", "[1]i32", "[50]i32", "[5003]i32"}) {
    for (const char* entry : {"smoothed", "two", "read_twice", "of_neighbours", "with_others", "more_points"})
      expect_same(entry, {n});
  }
  for (const char* shape : {"[1][1]i32", "[3][70]i32", "[71][67]i32"}) expect_same("planes", {shape});
}

TEST_F(FinishedHistograms, WhereNothingElseReadsTheBinsNorTheyAnythingElse) {
  std::string function;
  std::istringstream plans(run({HEDDLE, "explain", "program.fut", "--plan"}).out);
  std::map<std::string, int> finished;
  for (std::string line; std::getline(plans, line);) {
    if (!line.empty() && line[0] != ' ') function = line.substr(0, line.find(':'));
    finished[function] += line.find("whose segments are finished by threads") != std::string::npos ? 1 : 0;
  }
  for (const char* f : {"smoothed", "two", "planes"}) EXPECT_EQ(finished[f], 1) << f;
  for (const char* f : {"read_twice", "of_neighbours", "with_others", "more_points"}) EXPECT_EQ(finished[f], 0) << f;
}

}  // namespace
