// Several steps of iterated stencils in one kernel: the same results as step by step, for all numbers of steps.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def mirror (n: i64) (i: i64) = if i < 0 then i64.min (n - 1) (-1 - i) else if i >= n then i64.max 0 (2 * n - 1 - i) else i

def around [h][w] (f: i64 -> i64 -> i64) (a: [h][w]i32) y x = a[f h (y - 1), x] + 3 * a[y, f w (x + 1)] - a[f h (y + 1), f w (x - 2)]

entry lines [n] (steps: i32) (xs: [n]i32) : [n]i32 =
  iterate steps (\a -> tabulate n (\i -> a[clamp n (i - 1)] + 3 * a[i] - a[clamp n (i + 2)])) xs
entry clamped [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  iterate steps (\a -> tabulate_2d h w (around clamp a)) img
entry mirrored [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  iterate steps (\a -> tabulate_2d h w (around mirror a)) img
-- The border stays as it is.
entry fixed [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  let step (a: [h][w]i32) = tabulate_2d h w (\y x ->
    if y == 0 || y == h - 1 || x == 0 || x == w - 1 then a[y, x] else a[y - 1, x] + 2 * a[y, x + 1] - a[y + 1, x - 1])
  in iterate steps step img
entry volumes [l][h][w] (steps: i32) (img: [l][h][w]i32) : [l][h][w]i32 =
  let step (a: [l][h][w]i32) = tabulate_3d l h w (\z y x -> a[clamp l (z - 1), y, x] + a[z, clamp h (y + 1), x] - a[z, y, clamp w (x - 1)])
  in iterate steps step img
entry interleaved [h][w] (steps: i32) (img: [h][w][3]i32) : [h][w][3]i32 =
  let step (a: [h][w][3]i32) = tabulate_3d h w 3 (\y x c -> a[clamp h (y - 1), x, c] + 2 * a[y, clamp w (x + 1), c])
  in iterate steps step img

-- Steps that know their numbers, scalars that steps hand on, arrays that stay, and are read anywhere.
entry numbered [h][w] (steps: i64) (img: [h][w]i32) : [h][w]i32 =
  loop a: [h][w]i32 = img for i < steps do tabulate_2d h w (\y x -> i32.i64 (i + 1) * around clamp a y x)
entry counted [h][w] (steps: i32) (img: [h][w]i32) : ([h][w]i32, i32) =
  loop (a: [h][w]i32, k) = (img, 1) for i < steps do (tabulate_2d h w (\y x -> k * around clamp a y x + i), 3 * k + 1)
entry weighted [h][w] (steps: i32) (img: [h][w]i32) (weights: [h][w]i32) : [h][w]i32 =
  iterate steps (\a -> tabulate_2d h w (\y x -> weights[y, x] * around clamp a y x + weights[h - 1 - y, w - 1 - x])) img
entry points [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  iterate steps (\a -> map (map (\x -> x * x - 3 * x)) a) img

-- Steps of several arrays, of several stages, of results that are used otherwise.
entry pairs [h][w] (steps: i32) (img: [h][w]i32) : ([h][w]i32, [h][w]i64) =
  let step (u: [h][w]i32, v: [h][w]i64) =
    unzip (map unzip (tabulate_2d h w (\y x -> (around clamp u y x + i32.i64 v[clamp h (y + 1), x], v[y, clamp w (x - 1)] - i64.i32 u[y, x]))))
  in iterate steps step (img, map (map i64.i32) img)
entry waves [h][w] (steps: i32) (img: [h][w]i32) : ([h][w]i32, [h][w]i32) =
  let step (u: [h][w]i32, before: [h][w]i32) = (tabulate_2d h w (\y x -> around clamp u y x - before[y, x]), u)
  in iterate steps step (img, map (map (* 2)) img)
entry stages [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  let along (a: [h][w]i32) = tabulate_2d h w (\y x -> a[y, clamp w (x - 1)] + 2 * a[y, clamp w (x + 2)])
  let across (a: [h][w]i32) = tabulate_2d h w (\y x -> a[clamp h (y - 1), x] - a[clamp h (y + 1), x])
  in iterate steps (\a -> across (along a)) img
entry separate [h][w] (steps: i32) (img: [h][w]i32) : ([h][w]i32, [h][w]i32) =
  let step (u: [h][w]i32, v: [h][w]i32) =
    let u' = tabulate_2d h w (\y x -> around clamp u y x + v[y, x])
    in (u', tabulate_2d h w (\y x -> around clamp u' y x - v[y, x]))
  in iterate steps step (img, map (map (+ 1)) img)
entry summed [h][w] (steps: i32) (img: [h][w]i32) : ([h][w]i32, i32) =
  loop (a: [h][w]i32, s) = (img, 0) for _i < steps do (tabulate_2d h w (around clamp a), s + i32.sum (flatten a))
entry rotated [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  iterate steps (\a -> tabulate_2d h w (\y x -> a[h - 1 - y, x] + a[y, clamp w (x + 1)])) img

-- Steps that decide whether there is another.
def moved [h][w] (a: [h][w]i32) (b: [h][w]i32) = i32.maximum (map2 (\x y -> i32.abs (x - y)) (flatten a) (flatten b))
entry until [h][w] (most: i32) (img: [h][w]i32) : ([h][w]i32, i32) =
  let step (a: [h][w]i32) =
    tabulate_2d h w (\y x -> (a[clamp h (y - 1), x] + a[clamp h (y + 1), x] + a[y, clamp w (x - 1)] + a[y, clamp w (x + 1)]) / 4)
  let (a, _, done) =
    loop (a, more, done) = (img, true, 0) while more && done < most do
      let b = step a in (b, moved a b > 400000000, done + 1)
  in (a, done)

-- Sums over shifts and their weights, of which each step makes one that is not handed on.
def accumulated [h][w] (steps: i64) (img: [3][h][w]i32) =
  loop (sums, weights) = (copy img, replicate h (replicate w 1i32)) for d < steps do
    let weight = tabulate_2d h w (\y x -> img[0, y, clamp w (x - 1)] - img[1, clamp h (y + d), clamp w (x + 1)])
    let sums' = tabulate_3d 3 h w (\c y x -> sums[c, y, x] + weight[y, x] * img[c, clamp h (y - d), x])
    in (sums', map2 (map2 (+)) weights weight)
entry five_shifts [h][w] (img: [3][h][w]i32) : ([3][h][w]i32, [h][w]i32) = accumulated 5 img
entry shifts [h][w] (steps: i64) (img: [3][h][w]i32) : ([3][h][w]i32, [h][w]i32) = accumulated steps img

entry three_steps [h][w] (img: [h][w]i32) : [h][w]i32 =
  loop a: [h][w]i32 = img for i < 3i32 do tabulate_2d h w (\y x -> around clamp a y x + i)
entry nested [h][w] (steps: i32) (img: [h][w]i32) : [h][w]i32 =
  loop a: [h][w]i32 = img for i < steps do
    let b = loop b: [h][w]i32 = a for _j < i do tabulate_2d h w (around clamp b)
    in map2 (map2 (+)) a b
)";

class TimeTiles : public BesideFuthark {
 protected:
  TimeTiles() : BesideFuthark(kProgram) {}

  void expect_same_after(int steps, const std::string& entry, const Words& arrays) const {
    Words arguments = {fmt::format("{}{}", steps, entry == "numbered" || entry == "shifts" ? "i64" : "i32")};
    arguments.insert(arguments.end(), arrays.begin(), arrays.end());
    SCOPED_TRACE(fmt::format("{} steps", steps));
    expect_same(entry, arguments);
  }
  // How many kernels a call launches.
  size_t launches(int steps, const std::string& entry, const std::string& array) const {
    return launches({fmt::format("{}i32", steps), array}, entry);
  }
  size_t launches(const Words& arguments, const std::string& entry) const {
    Words dataset = {FUTHARK, "dataset"};
    for (const std::string& a : arguments) dataset.insert(dataset.end(), {"-g", a});
    std::string data = run(dataset).out;
    ProcessResult got = run({"./program", "-e", entry, "-D"}, data);
    EXPECT_EQ(got.exit_code, 0) << got.err;
    return lines_after(got.err, "Launched entry_").size();
  }
};

// Rounds of a few steps each, with and without a rest.
TEST_F(TimeTiles, OfAllNumbersOfSteps) {
  for (int steps = -1; steps <= 17; ++steps) {
    for (const char* entry : {"clamped", "fixed", "numbered", "counted", "points", "pairs", "stages", "until"})
      expect_same_after(steps, entry, {"[37][71]i32"});
  }
}

struct Shape {
  int rows, columns;
};
// Smaller than what a step reads, around tiles of up to 64 rows and 128 columns, primes.
constexpr Shape kShapes[] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {5, 67}, {31, 130}, {64, 128}, {65, 127}, {131, 257}};

TEST_F(TimeTiles, OfAllShapes) {
  for (const Shape& s : kShapes) {
    std::string image = fmt::format("[{}][{}]i32", s.rows, s.columns);
    for (const char* entry :
         {"clamped", "mirrored", "fixed", "pairs", "stages", "waves", "separate", "rotated", "until"})
      expect_same_after(7, entry, {image});
    expect_same_after(7, "weighted", {image, image});
    expect_same_after(9, "interleaved", {fmt::format("[{}][{}][3]i32", s.rows, s.columns)});
    expect_same("three_steps", {image});
    expect_same("five_shifts", {"[3]" + image});
    expect_same_after(9, "shifts", {"[3]" + image});
  }
  for (int n : {1, 2, 7, 1021, 4099}) {
    for (int steps : {1, 2, 5, 9, 16}) expect_same_after(steps, "lines", {fmt::format("[{}]i32", n)});
  }
  for (int depth : {1, 2, 9, 17}) {
    for (int steps : {1, 2, 3, 5}) expect_same_after(steps, "volumes", {fmt::format("[{}][19][35]i32", depth)});
  }
}

TEST_F(TimeTiles, OnlyWhereNothingElseReadsAStep) {
  for (int steps : {0, 3, 8}) {
    for (const char* entry : {"summed", "nested"}) expect_same_after(steps, entry, {"[33][65]i32"});
  }
  EXPECT_LE(launches(24, "clamped", "[40][40]i32"), 12u);
  EXPECT_EQ(launches(24, "rotated", "[40][40]i32"), 24u);
}

// Of tiles of eight layers a third would lie beyond five: each step is a kernel.
TEST_F(TimeTiles, OnlyWhereTilesCoverLittleElse) {
  EXPECT_EQ(launches(4, "volumes", "[5][250][250]i32"), 4u);
  EXPECT_LT(launches(4, "volumes", "[80][64][64]i32"), 4u);
  EXPECT_LT(launches(4, "volumes", "[5][20][20]i32"), 4u);
  expect_same_after(4, "volumes", {"[5][250][250]i32"});
}

// One for all steps, beside the copy of what is added to.
TEST_F(TimeTiles, OfSumsAndTheirWeights) { EXPECT_EQ(launches({"[3][40][40]i32"}, "five_shifts"), 1u); }

}  // namespace
