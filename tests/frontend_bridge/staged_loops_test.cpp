// Loops in which all points of a block read the same elements.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
-- Two sums of terms that have much in common, and something done to them.
entry pairs [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n]i32, [n]i32) =
  unzip (#[sequential_inner] map (\x -> let (a, b) = reduce_comm (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
                                             (map (\y -> let t = (x - y) * (x + y) ^ x in (t, t * y)) ys)
                    in (a + x, a * b)) xs)
-- The nearest of many, whose place matters: what a step does depends on those before.
entry nearest [n] [m] (xs: [n]i32) (ys: [m]i32) : ([n]i32, [n]i64) =
  unzip (map (\x -> loop (best, at) = (i32.highest, -1) for j < m do
                      let d = i32.abs (x - ys[j]) in if d < best then (d, j) else (best, at)) xs)
-- Elements of several types, some read from behind; points store rows.
entry mixed [n] [m] (xs: [n]i32) (ys: [m]i32) (zs: [m]i64) : [n][2]i64 =
  let small = map i8.i32 ys
  let large = map f64.i32 ys
  in map (\x -> let (s, r) = loop (s, r) = (0i64, 0f64) for j < m do
                              (s + i64.i8 small[j] * i64.i32 x + zs[m - 1 - j], r + large[j] * f64.i32 x)
                in [s, i64.f64 r]) xs
-- A loop whose length each point decides is none of a block's.
entry own_length [n] [m] (xs: [n]i32) (ys: [m]i32) : [n]i32 =
  map (\x -> loop s = 0 for j < i64.min m (i64.i32 (i32.abs x)) do s * 3 + ys[j]) xs
-- A bin for each of some points: stores that only points do.
entry places [n] [m] (xs: [n]i32) (ys: [m]i32) : [20]i32 =
  let sums = map (\x -> loop s = x for j < m do (s + ys[j]) % 21) xs
  in scatter (replicate 20 0) (map i64.i32 sums) (map (const 1) sums)
-- Points of several rows, which read a row that follows from their own; the loop within may be short, or as long as the row says.
entry rows [n] [m] (xs: [n]i32) (ys: [m]i32) : [n][m]i32 =
  #[unsafe]
  let others = map (\x -> tabulate 3 (\k -> (i64.i32 x + k) % i64.max 1 m)) xs
  let table = tabulate_2d m m (\i j -> ys[(i * 3 + j) % m] ^ i32.i64 j)
  in map2 (\x of_row ->
             #[sequential_inner]
             map (\y -> loop s = x for k < 3 do
                          let other = if k > 1 && x % 2 == 0 then m - 1 else of_row[k]
                          in loop s for j < m do s * 3 + table[other, j] * y) ys) xs others
)";

class StagedLoops : public BesideFuthark {
 protected:
  StagedLoops() : BesideFuthark(kProgram) {}
};

// Points and steps that are none, fewer than a block has threads, exactly as many, and more.
TEST_F(StagedLoops, OfAllSizes) {
  for (int n : {0, 1, 300}) {
    for (int m : {0, 5, 256, 259, 517}) {
      for (const char* entry : {"pairs", "nearest", "own_length", "places"})
        expect_same(entry, {fmt::format("[{}]i32", n), fmt::format("[{}]i32", m)});
    }
  }
}

// So short that threads do it by themselves, as many as lanes, one more, and several chunks.
TEST_F(StagedLoops, OfRows) {
  for (int n : {0, 1, 3}) {
    for (int m : {0, 1, 32, 33, 64, 100, 259, 530})
      expect_same("rows", {fmt::format("[{}]i32", n), fmt::format("[{}]i32", m)});
  }
}

TEST_F(StagedLoops, OfSeveralTypes) {
  for (int n : {1, 70, 200}) {
    for (int m : {3, 512, 700})
      expect_same("mixed", {fmt::format("[{}]i32", n), fmt::format("[{}]i32", m), fmt::format("[{}]i64", m)});
  }
}

}  // namespace
