// Products that guards leave out beyond the ends of an array, where what they would be multiplied with is no number.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def small (x: i32) : f32 = f32.i32 (x % 8)
def taps [o][c] (k: [o][c][3][3]i32) (which: i64) (special: f32) : [o][c][3][3]f32 =
  map (map (\t -> tabulate_2d 3 3 (\i j -> if i*3 + j == which then special else small t[i, j]))) k
def convolution [c][h][w][o] (k: [o][c][3][3]f32) (x: [c][h][w]f32) : [o][h][w]f32 =
  tabulate_3d o h w (\f y z ->
    loop s = 0f32 for q < c do
      s + (loop p = 0f32 for t < 9 do
             let (yy, zz) = (y + t/3 - 1, z + t%3 - 1)
             in if yy < 0 || zz < 0 || yy >= h || zz >= w then p else p + x[q, yy, zz] * k[f, q, t/3, t%3]))
def through [c][h][w][o] (f: f32 -> f32) (k: [o][c][3][3]f32) (x: [c][h][w]f32) : [o][h][w]f32 =
  tabulate_3d o h w (\g y z ->
    loop s = 0f32 for q < c do
      s + (loop p = 0f32 for t < 9 do
             let (yy, zz) = (y + t/3 - 1, z + t%3 - 1)
             in p + f (if yy < 0 || zz < 0 || yy >= h || zz >= w then 0 else x[q, yy, zz] * k[g, q, t/3, t%3])))
def of_infinite [c][h][w][o] (k: [o][c][3][3]i32) (x: [c][h][w]i32) (which: i64) (special: f32) =
  convolution (taps k which special) (map (map (map small)) x)
entry numbers [c][h][w][o] (k: [o][c][3][3]i32) (x: [c][h][w]i32) : [o][h][w]f32 = of_infinite k x (-1) 0
entry above [c][h][w][o] (k: [o][c][3][3]i32) (x: [c][h][w]i32) : [o][h][w]f32 = of_infinite k x 0 f32.inf
entry right_of [c][h][w][o] (k: [o][c][3][3]i32) (x: [c][h][w]i32) : [o][h][w]f32 =
  map (map (map (\v -> if f32.isnan v then -1 else v))) (of_infinite k x 5 f32.nan)
entry bounded [c][h][w][o] (k: [o][c][3][3]i32) (x: [c][h][w]i32) : [o][h][w]f32 =
  through (f32.min 1) (taps k 0 f32.inf) (map (map (map small)) x)
entry signs [c][h][w][o] (k: [o][c][3][3]i32) (x: [c][h][w]i32) : [o][h][w]f32 =
  through (\v -> f32.copysign 1 v) (taps k 0 (-3)) (map (map (map small)) x)
entry positive [n][m][d] (a: [n][m][d]i32) (b: [m][n][d]i32) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.sum (map2 (\u v -> let s = i32.sum (map2 (*) u v) in if s > 0 then s else 0) a[i] b[:, i]))
)";

class Guards : public BesideFuthark {
 protected:
  Guards() : BesideFuthark(kProgram) {}
};

TEST_F(Guards, KeepWhatIsNoNumberFromSums) {
  for (const char* entry : {"numbers", "above", "right_of", "bounded", "signs"}) {
    expect_same(entry, {"[16][8][3][3]i32", "[8][21][19]i32"}, 0, "--specialize-after=0");
    expect_same(entry, {"[3][70][3][3]i32", "[70][5][6]i32"}, 0, "--specialize-after=0");
  }
}

// A guard that asks for the inner sum guards none of its terms.
TEST_F(Guards, OfInnerSumsMayAskForThem) {
  expect_same("positive", {"[5][7][9]i32", "[7][5][9]i32"}, 0, "--specialize-after=0");
}

}  // namespace
