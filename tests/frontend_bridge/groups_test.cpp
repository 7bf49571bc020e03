// Groups of stages in one kernel each: the same results as without, at borders, in tiles that are not whole, whatever is read.
#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

const std::string kProgram = R"(
def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)
def mirror (n: i64) (i: i64) = if i < 0 then i64.min (n - 1) (-1 - i) else if i >= n then i64.max 0 (2 * n - 1 - i) else i
def wrap (n: i64) (i: i64) = i % n

def along [n] (f: i64 -> i64 -> i64) (xs: [n]i32) = tabulate n (\i -> xs[f n (i - 1)] + 3 * xs[i] - xs[f n (i + 2)])
def across [h][w] (f: i64 -> i64 -> i64) (img: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\y x -> img[f h (y - 1), f w x] + 2 * img[y, f w (x + 1)] - img[f h (y + 2), f w (x - 2)])

entry lines_clamped [n] (xs: [n]i32) : [n]i32 = along clamp (along clamp (along clamp xs))
entry lines_wrapped [n] (xs: [n]i32) : [n]i32 = along wrap (along wrap xs)

entry clamped [h][w] (img: [h][w]i32) : [h][w]i32 = across clamp (across clamp img)
entry mirrored [h][w] (img: [h][w]i32) : [h][w]i32 = across mirror (across mirror img)
entry wrapped [h][w] (img: [h][w]i32) : [h][w]i32 = across wrap (across wrap img)
entry mixed [h][w] (img: [h][w]i32) : [h][w]i32 = across mirror (across clamp (across wrap img))

-- A stage in front of one that reads around the border, and one that others read, too, in loops.
def around [h][w] (img: [h][w]i32) : [h][w]i32 =
  let at (n: i64) (i: i64) = if i < 0 then i + n else if i >= n then i - n else i
  in tabulate_2d h w (\y x -> img[at h (y - 1), at w (x - 1)] - img[at h (y + 1), x] + 3 * img[y, at w (x + 1)])
entry behind_clamped [h][w] (img: [h][w]i32) : [h][w]i32 = around (across clamp (across mirror img))
entry behind_wrapped [h][w] (img: [h][w]i32) : [h][w]i32 = across clamp (across wrap (around img))
entry wrapped_kept [h][w] (img: [h][w]i32) : ([h][w]i32, [h][w]i32, [h][w]i32) =
  let once = around img
  let twice = across wrap once
  in (once, twice, around twice)
entry wrapped_steps [h][w] (img: [h][w]i32) : [h][w]i32 = loop a = img for _i < 5 do around a
entry wrapped_layers [h][w] (img: [4][h][w]i32) : [3][h][w]i32 =
  let smooth = map around (map (across wrap) img)
  in tabulate_3d 3 h w (\c y x -> smooth[c, y, x] * smooth[3, y, x] + smooth[c, y, (x + 1) % w])
entry wrapped_volumes [l][h][w] (img: [l][h][w]i32) : [l][h][w]i32 =
  let step (a: [l][h][w]i32) = tabulate_3d l h w (\z y x -> a[(z - 1) % l, y, x] + a[z, (y + 2) % h, x] - a[z, y, (x - 3) % w])
  in step (step img)

-- Windows of five by five around three by three, and the other way round.
def three [h][w] (img: [h][w]i32) : [h][w]i32 =
  let row y x = img[clamp h y, clamp w (x - 1)] - 2 * img[clamp h y, x] + 3 * img[clamp h y, clamp w (x + 1)]
  in tabulate_2d h w (\y x -> row (y - 1) x + 4 * row y x - row (y + 1) x)
def five [h][w] (img: [h][w]i32) : [h][w]i32 =
  let row y x = img[clamp h y, clamp w (x - 2)] - 2 * img[clamp h y, clamp w (x - 1)] + 3 * img[clamp h y, clamp w (x + 2)]
  in tabulate_2d h w (\y x -> row (y - 2) x + 4 * row (y - 1) x - row y x + 2 * row (y + 2) x)
entry five_of_three [h][w] (img: [h][w]i32) : [h][w]i32 = five (three img)
entry three_of_five [h][w] (img: [h][w]i32) : [h][w]i32 = three (five img)

-- A stage by itself, of narrow elements and tall windows, which has several columns in a thread where rows are aligned; its weights are
-- products.
entry narrow [h][w] (img: [h][w]u16) : ([h - 4][w - 4]u16, [h][w]i16) =
  let at y x = i16.u16 img[clamp h y, clamp w x]
  in (tabulate_2d (h - 4) (w - 4) (\y x ->
        loop s = 0 for dy < 5 do loop s for dx < 5 do s + u16.i64 ((dx + 1) * (dy - 7)) * img[y + dy, x + dx]),
      tabulate_2d h w (\y x -> at (y - 3) (x - 1) + 7 * at y (x + 2) - at (y + 1) x * at (y + 2) (x - 3)))

-- Rows, then columns, of elements of two bytes: a thread has two columns and needs no tile. And every other element of a tile, by two names.
entry rows_then_columns [h][w] (img: [h][w]u16) : ([h - 2][w - 2]u16, [h][w]i16) =
  let rows = tabulate_2d h (w - 2) (\y x -> (img[y, x] + img[y, x + 1] + img[y, x + 2]) / 3)
  let at y x = i16.u16 img[clamp h y, clamp w x]
  let smooth = tabulate_2d h w (\y x -> at y (x - 2) + 5 * at y (x + 1))
  in (tabulate_2d (h - 2) (w - 2) (\y x -> (rows[y, x] + rows[y + 1, x] + rows[y + 2, x]) / 3),
      tabulate_2d h w (\y x -> smooth[clamp h (y - 2), x] - 3 * smooth[y, x] + smooth[clamp h (y + 1), x]))
entry mosaic [h][w] (img: [h][w]i32) : [][]i32 =
  let (n, m) = (h / 2, w / 2)
  let smooth = tabulate_2d (2 * n - 2) (2 * m - 2) (\y x -> img[y, x] + 3 * img[y + 1, x + 2] - img[y + 2, x + 1])
  let phase py px = tabulate_2d (n - 1) (m - 1) (\y x -> smooth[2 * y + py, 2 * x + px])
  let a = phase 0 1
  let b = phase 1 0
  let along = tabulate_2d (n - 2) (m - 2) (\y x -> (a[y, x] - a[y, x + 1]) * b[y + 1, x])
  let down = tabulate_2d (n - 3) (m - 2) (\y x -> (b[y, x] - b[y + 1, x]) * a[y, x + 1])
  in tabulate_2d (n - 4) (m - 4) (\y x -> along[y, x] * down[y + 1, x + 2] + along[y + 2, x] - down[y, x + 1])

-- Zeros beyond the border, as a guard around the read.
entry guarded [h][w] (img: [h][w]i32) : [h][w]i32 =
  let at [h][w] (a: [h][w]i32) y x = if y >= 0 && y < h && x >= 0 && x < w then a[y, x] else 0
  let step [h][w] (a: [h][w]i32) : [h][w]i32 = tabulate_2d h w (\y x -> at a (y - 1) (x - 1) + 5 * at a y x - at a (y + 1) (x + 1))
  in step (step (step img))

-- Filters by arrays of taps, which are contractions by themselves.
def taps_of [k] (taps: [k]i32) (at: i64 -> i32) : i32 = i32.sum (tabulate k (\j -> taps[j] * at j))
entry separable [h][w] (taps: [5]i32) (img: [h][w]i32) : ([h][w]i32, [h][w]i32) =
  let at [h][w] (a: [h][w]i32) y x = if y >= 0 && y < h && x >= 0 && x < w then a[y, x] else 0
  let rows = tabulate_2d h w (\y x -> taps_of taps (\j -> at img y (x + j - 2)))
  in (rows, tabulate_2d h w (\y x -> taps_of taps (\j -> at rows (y + j - 2) x)))
entry pooled [h][w] (k: [3][3]i32) (img: [h][w]i32) : [][]i32 =
  let (h', w') = (i64.max 0 (h - 2), i64.max 0 (w - 2))
  let conv = tabulate_2d h' w' (\y x -> i32.max 0 (i32.sum (flatten (tabulate_2d 3 3 (\a b -> k[a, b] * img[y + a, x + b])))))
  in tabulate_2d (h' / 2) (w' / 2) (\y x -> i32.maximum (flatten (tabulate_2d 2 2 (\a b -> conv[2 * y + a, 2 * x + b]))))

-- Several readers of one stage, several results of one stage, a result that is read elsewhere, too.
entry diamond [h][w] (img: [h][w]i32) : [h][w]i32 =
  let blurred = across clamp img
  let dx = tabulate_2d h w (\y x -> blurred[y, clamp w (x + 1)] - blurred[y, clamp w (x - 1)])
  let dy = tabulate_2d h w (\y x -> blurred[clamp h (y + 1), x] - blurred[clamp h (y - 1), x])
  in tabulate_2d h w (\y x -> dx[y, clamp w (x - 1)] * dy[y, x] - dx[y, x] * dy[clamp h (y + 1), x] + blurred[y, x])
entry pairs [h][w] (img: [h][w]i32) : [h][w]i32 =
  let (a, b) = unzip (map unzip (tabulate_2d h w (\y x -> (img[y, clamp w (x + 1)], i64.i32 img[clamp h (y - 1), x] * 3))))
  in tabulate_2d h w (\y x -> a[clamp h (y + 1), x] + i32.i64 b[y, clamp w (x - 2)])
entry kept [h][w] (img: [h][w]i32) : ([h][w]i32, [h][w]i32) =
  let once = across clamp img in (once, across clamp once)

-- Results of several sizes.
entry smaller [h][w] (img: [h][w]i32) : ([h][w]i32, [][]i32, [][]i32) =
  let (h', w') = (i64.max 0 (h - 2), i64.max 0 (w - 1))
  let once = across clamp img
  let dy = tabulate_2d h' w (\y x -> once[y + 2, x] - once[y, x])
  in (once, dy, tabulate_2d h' w' (\y x -> dy[y, x + 1] - dy[y, x] * once[y + 1, x]))
entry levels [h][w] (img: [h][w]i32) : ([h][w]i32, [][]i32, [][]i32) =
  let half [h][w] (a: [h][w]i32) = tabulate_2d (h / 2) (w / 2) (\y x -> a[2 * y, 2 * x] + 3 * a[2 * y + 1, 2 * x] - a[2 * y, 2 * x + 1])
  let once = across clamp img
  let coarse = half once
  in (once, coarse, half coarse)
entry from_half [h][w] (img: [h][w]i32) : ([][]i32, [h][w]i32) =
  let half = tabulate_2d (h / 2 + 1) (w / 2 + 1) (\y x -> img[clamp h (2 * y), clamp w (2 * x)] + img[clamp h (2 * y + 1), clamp w (2 * x)])
  in (half, tabulate_2d h w (\y x -> img[y, x] - half[y / 2, x / 2] * half[y / 2, (x + 1) / 2]))
entry column [h][w] (img: [h][w]i32) (first: [h]i32) : ([h]i32, [h][w]i32) =
  let a = tabulate h (\y -> first[clamp h (y - 1)] * 3 - first[y])
  in (a, tabulate_2d h w (\y x -> img[y, x] * (a[clamp h (y - 1)] - 2 * a[clamp h (y + 1)])))
entry sampled [h][w] (img: [h][w]i32) : [h][w]i32 =
  let fine = across clamp img
  let coarse = tabulate_2d ((h + 1) / 2) ((w + 1) / 2) (\y x -> fine[2 * y, 2 * x] + fine[clamp h (2 * y + 1), clamp w (2 * x - 1)])
  in tabulate_2d h w (\y x -> coarse[y / 2, x / 2] - coarse[clamp ((h + 1) / 2) ((y + 1) / 2), x / 2])
entry planes [h][w] (img: [3][h][w]i32) : [h][w]i32 =
  let gray = tabulate_2d h w (\y x -> img[0, y, x] + 2 * img[1, y, x] - img[2, y, x])
  in across clamp (across clamp gray)
entry volumes [l][h][w] (img: [l][h][w]i32) : [l][h][w]i32 =
  let step (a: [l][h][w]i32) = tabulate_3d l h w (\z y x -> a[clamp l (z - 1), y, x] + a[z, clamp h (y + 1), x] - a[z, y, clamp w (x - 1)])
  in step (step img)

-- Colours of a point in one thread, with what they have in common.
entry weighed [h][w] (img: [3][h][w]i32) : [3][h][w]i32 =
  let smooth = across clamp (across clamp img[1])
  in tabulate_3d 3 h w (\c y x -> smooth[y, x] * img[c, y, x] - i32.i64 c)
entry layered [h][w] (img: [4][h][w]i32) : [3][h][w]i32 =
  let smooth = map (across clamp) (map (across clamp) img)
  in tabulate_3d 3 h w (\c y x -> smooth[c, y, x] * smooth[3, y, x] + smooth[c, y, x])
entry layer_by_data [h][w] (img: [4][h][w]i32) : [3][h][w]i32 =
  let smooth = map (across clamp) (map (across clamp) img)
  in tabulate_3d 3 h w (\c y x -> smooth[c, y, x] - 2 * smooth[clamp 4 (i64.i32 img[c, y, x]), y, x])

entry interleaved [h][w] (img: [h][w][3]i32) : [h][w][3]i32 =
  let step (a: [h][w][3]i32) = tabulate_3d h w 3 (\y x c -> a[clamp h (y - 1), x, c] + 2 * a[y, clamp w (x + 1), c])
  in step (step img)

-- Neighbours among colours, which a tile has as a whole.
entry colours [h][w] (img: [h][w]i32) : [h][w]i32 =
  let a = tabulate_3d h w 3 (\y x c -> img[clamp h (y - c), x] + i32.i64 c)
  let b = tabulate_3d h w 3 (\y x c -> a[y, x, clamp 3 (c - 1)] - a[clamp h (y + 1), x, clamp 3 (c + 1)])
  in tabulate_2d h w (\y x -> b[clamp h (y + 1), x, 0] + 10 * b[y, clamp w (x - 1), 1] + 100 * b[y, x, 2])

-- The image changes between the stages that read it.
entry changed [n] (xs: *[n]i32) : [n]i32 =
  let ys = along clamp xs
  let xs = if n > 0 then xs with [0] = 1000 else xs
  in tabulate n (\i -> ys[clamp n (i - 1)] + ys[i] * xs[clamp n (i + 1)])
-- Smaller than what they read: of several planes, and of each layer.
entry inner [h][w] (img: [3][h][w]i32) : [h - 6][w - 6]i32 =
  let gray = tabulate_2d h w (\y x -> img[0, y, x] + 2 * img[1, y, x] + 3 * img[2, y, x])
  let a = tabulate_2d (h - 2) (w - 2) (\y x -> gray[y, x] - 2 * gray[y + 1, x + 2] + gray[y + 2, x + 1])
  in tabulate_2d (h - 6) (w - 6) (\y x -> a[y + 1, x + 1] + 3 * a[y + 3, x + 2] - a[y + 2, x + 3])
entry inner_layers [h][w] (img: [3][h][w]i32) : [3][h - 4][w - 4]i32 =
  map (\layer ->
         let down = tabulate_2d (h - 4) w (\y x -> layer[y, x] + 4 * layer[y + 1, x] - layer[y + 4, x])
         let across = tabulate_2d (h - 4) (w - 4) (\y x -> down[y, x] + 4 * down[y, x + 1] - down[y, x + 4])
         in tabulate_2d (h - 4) (w - 4) (\y x -> if across[y, x] > 0 then across[y, x] else layer[y + 2, x + 2]))
      img
-- Layers that are not there: of more results than the image has, or guarded by a number; and an image that is read elsewhere, too.
entry more_layers [c][h][w] (img: [c][h][w]i32) : [][][]i32 =
  let a = tabulate_3d 3000 h w (\k y x -> if k < c then #[unsafe] img[k, y, x] else i32.i64 k)
  in tabulate_3d 3000 (i64.min 2 (h - 1)) (i64.min 3 w) (\k y x -> #[unsafe] a[k, y, x] + a[k, y + 1, x])
entry guarded_layer [c][h][w] (img: [c][h][w]i32) : [h - 4][w - 4]i32 =
  let a = tabulate_2d (h - 3) (w - 2) (\y x -> i32.i64 (x + y) + (if c > 1000000 then #[unsafe] img[1000000, y + 1, x + 2] else 9))
  in tabulate_2d (h - 4) (w - 4) (\y x -> a[y, x] + 3 * a[y + 1, x + 1])
entry elsewhere_too [h][w] (img: [h][w]i32) : [h - 2][w - 2]i32 =
  let a = tabulate_2d (h - 1) w (\y x -> img[y, x] * 2 - img[y + 1, x])
  in tabulate_2d (h - 2) (w - 2) (\y x -> (loop s = a[y, x] for k < 3 do s * 3 + img[i64.min k (h - 1), 0]) + a[y + 1, x + 2])
entry steps [h][w] (img: [h][w]i32) : [h][w]i32 = loop a = img for _i < 3 do across mirror (across clamp a)
)";

// With a tile for each block, and for each warp, half of which lies in registers where that can be, and strips that are streamed down
// where that can be. Other fractions are drawn by the campaign.
struct Scope {
  const char* name;
  std::vector<std::string> options;

  friend void PrintTo(const Scope& s, std::ostream* out) { *out << s.name; }
};
class Groups : public BesideFuthark, public testing::WithParamInterface<Scope> {
 protected:
  Groups() : BesideFuthark(kProgram, GetParam().options) {}
};

INSTANTIATE_TEST_SUITE_P(Tiles, Groups,
                         testing::Values(Scope{"block", {"--tile-scope=block"}}, Scope{"warp", {"--tile-scope=warp"}},
                                         Scope{"nested", {"--nested=forced"}}, Scope{"hybrid", {"--tile-scope=hybrid"}},
                                         Scope{"stream", {"--tile-scope=stream"}},
                                         Scope{"walk", {"--tile-scope=walk"}}),
                         [](const auto& info) { return std::string(info.param.name); });

// Around a tile, which is 1024 points long.
TEST_P(Groups, OfLines) {
  for (int n : {1, 2, 3, 7, 1021, 1024, 1025, 4099}) {
    for (const char* entry : {"lines_clamped", "lines_wrapped", "changed"})
      expect_same(entry, {fmt::format("[{}]i32", n)});
  }
}

struct Shape {
  int rows, columns;
};
// Smaller than a window, around a tile of 16 rows and 64 columns, with and without a rest, and with tiles of 128 columns away from all borders.
constexpr Shape kShapes[] = {{1, 1},   {1, 2},   {2, 1},    {3, 3},   {5, 67},
                             {16, 64}, {17, 63}, {31, 130}, {53, 97}, {37, 397}};

TEST_P(Groups, WithAllBorders) {
  for (const Shape& s : kShapes) {
    for (const char* entry : {"clamped", "mirrored", "wrapped", "mixed", "guarded", "five_of_three", "three_of_five",
                              "behind_clamped", "behind_wrapped", "wrapped_kept", "wrapped_steps"})
      expect_same(entry, {fmt::format("[{}][{}]i32", s.rows, s.columns)});
    expect_same("wrapped_layers", {fmt::format("[4][{}][{}]i32", s.rows, s.columns)});
    expect_same("wrapped_volumes", {fmt::format("[3][{}][{}]i32", s.rows, s.columns)});
    expect_same("inner", {fmt::format("[3][{}][{}]i32", s.rows + 6, s.columns + 6)});
    expect_same("more_layers", {fmt::format("[3][{}][{}]i32", s.rows + 1, s.columns)});
    expect_same("guarded_layer", {fmt::format("[3][{}][{}]i32", s.rows + 4, s.columns + 4)});
    expect_same("elsewhere_too", {fmt::format("[{}][{}]i32", s.rows + 2, s.columns + 2)});
    expect_same("inner_layers", {fmt::format("[3][{}][{}]i32", s.rows + 4, s.columns + 4)});
  }
}

TEST_P(Groups, OfAllShapes) {
  for (const Shape& s : kShapes) {
    for (const char* entry : {"diamond", "pairs", "kept", "sampled", "steps", "colours"})
      expect_same(entry, {fmt::format("[{}][{}]i32", s.rows, s.columns)});
    expect_same("separable", {"[5]i32", fmt::format("[{}][{}]i32", s.rows, s.columns)});
    expect_same("pooled", {"[3][3]i32", fmt::format("[{}][{}]i32", s.rows, s.columns)});
    expect_same("planes", {fmt::format("[3][{}][{}]i32", s.rows, s.columns)});
    expect_same("weighed", {fmt::format("[3][{}][{}]i32", s.rows, s.columns)});
    for (const char* entry : {"layered", "layer_by_data"})
      expect_same(entry, {fmt::format("[4][{}][{}]i32", s.rows, s.columns)});
    expect_same("interleaved", {fmt::format("[{}][{}][3]i32", s.rows, s.columns)});
    expect_same("volumes", {fmt::format("[4][{}][{}]i32", s.rows, s.columns)});
  }
}

TEST_P(Groups, WithResultsOfSeveralSizes) {
  for (const Shape& s : kShapes) {
    for (const char* entry : {"smaller", "levels", "from_half"})
      expect_same(entry, {fmt::format("[{}][{}]i32", s.rows, s.columns)});
  }
  for (const Shape& s : {Shape{0, 3}, Shape{1, 1}, Shape{33, 0}, Shape{37, 71}})
    expect_same("column", {fmt::format("[{}][{}]i32", s.rows, s.columns), fmt::format("[{}]i32", s.rows)});
}

TEST_P(Groups, OfNarrowElements) {
  for (const Shape& s : {Shape{4, 4}, Shape{5, 5}, Shape{5, 67}, Shape{16, 64}, Shape{17, 63}, Shape{31, 130},
                         Shape{75, 777}, Shape{130, 512}})
    for (const char* entry : {"narrow", "rows_then_columns"})
      expect_same(entry, {fmt::format("[{}][{}]u16", s.rows, s.columns)});
}

TEST_P(Groups, OfEveryOtherElement) {
  for (const Shape& s : {Shape{8, 8}, Shape{11, 9}, Shape{16, 64}, Shape{75, 133}, Shape{130, 513}})
    expect_same("mosaic", {fmt::format("[{}][{}]i32", s.rows, s.columns)});
}

// So large that blocks have strips, and rows of strips, that are away from all borders.
TEST_P(Groups, OfLargerImages) {
  for (const Shape& s : {Shape{75, 777}, Shape{130, 512}}) {
    for (const char* entry :
         {"clamped", "mirrored", "guarded", "five_of_three", "three_of_five", "diamond", "pairs", "kept"})
      expect_same(entry, {fmt::format("[{}][{}]i32", s.rows, s.columns)});
    expect_same("separable", {"[5]i32", fmt::format("[{}][{}]i32", s.rows, s.columns)});
    expect_same("layered", {fmt::format("[4][{}][{}]i32", s.rows, s.columns)});
  }
}

}  // namespace
