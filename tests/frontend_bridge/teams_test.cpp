// Blocks of threads that do the work of a point together.
#include <gmock/gmock.h>

#include "tests/frontend_bridge/beside_futhark_fixture.h"

namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kProgram = R"(
def product (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h) : (i32, i32, i32, i32)
entry steps [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> loop row = copy row for _i < 5 do let s = i32.sum row in map2 (\x j -> x + s + row[(j + 1) % m]) row (iota m)) xs
entry changing_places [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let (a, b, _, d) = loop (a: [m]i32, b: [m]i32, c: [m]i32, d: [m]i32) = (map (+ 1) row, map (* 3) row, copy (reverse row), replicate m 0) for i < 5 do
    (b, map2 (\x y -> x + y + i) a c, reverse a, b) in map3 (\x y z -> x - y + 5 * z) a b d) xs
entry scans [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let a = scan (+) 0 row in let b = map (.1) (scan product (1,0,0,1) (map (\x -> (x, 1, 1, x - 3)) a)) in map2 (+) a b) xs
entry sums [n] [m] (xs: [n][m]i32) : [n]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let (a, b, c, d) = reduce product (1,0,0,1) (map (\x -> (x, 1, 1, x - 3)) row) in let m1 = i32.maximum (map (\x -> x * a) row) in if m1 > 3 then a + b + c + d else i32.sum (map (\x -> x * m1) row)) xs
def join (a, b, c, d, s) (e, f, g, h, t) : (i32, i32, i32, i32, i32) =
  if a < 0 then (e, f, g, h, t) else if e < 0 then (a, b, c, d, s) else (a, b, g, h, i32.max (i32.max s t) ((f - d) / (e - c)))
entry slopes [n] [m] (xs: [n][m]i32) : [n]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> (reduce join (-1, 0, -1, 0, i32.lowest) (map2 (\i x -> (i, x, i, x, i32.lowest)) (map i32.i64 (iota m)) row)).4) xs
entry hists [n] [m] (xs: [n][m]i32) : [n][10]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let h = reduce_by_index (replicate 10 0) (+) 0 (map (\x -> i64.i32 (x % 11)) row) row in if h[3] > 2 then scan (+) 0 h else h) xs
entry scatters [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let s = scan (+) 0 (map (\x -> i64.bool (x > 2)) row) in scatter (replicate m 0) (map2 (\x i -> if x > 2 then i - 1 else -1) row s) row) xs
entry failing [n] [m] (xs: [n][m]i32) (k: i64) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let a = scan (+) 0 (map (\j -> row[(j + k)]) (iota m)) in map (\j -> a[j] + row[i64.max 0 (j - k)]) (iota m)) xs
entry tables [n] [m] (xs: [n][m]i32) (t: [5][5]i64) : [n][m]i64 =
  #[incremental_flattening(only_intra)]
  map (\row -> let a = i64.sum (map (\x -> (i64.i32 x + 1) << 40) row)
               let b = reduce (\x y -> t[x, y]) 0 (map (\x -> if a == 3 then 0 else 5 + (i64.i32 x & 1)) row)
               let z = loop acc = a for i < b do (acc * 3 + i) % 1000003
               in scan (+) 0 (map (\x -> i64.i32 x + z) row)) xs
)";

class Teams : public BesideFuthark {
 protected:
  Teams() : BesideFuthark(kProgram) {}

  std::string first_kernel(const std::string& file) {
    ProcessResult r = run({HEDDLE, "compile", file});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    size_t begin = r.out.find("HD_KERNEL(entry"), end = r.out.find("\n}", begin);
    return r.out.substr(begin, end - begin);
  }
  static size_t count_of(const std::string& word, const std::string& text) {
    size_t n = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
  }
};

// Fewer and more elements than threads, and so many that the arrays do not fit into shared memory. `slopes` fails on what does not follow each other.
TEST_F(Teams, DoWhatFutharkDoes) {
  for (const char* shape :
       {"[0][3]", "[3][1]", "[7][2]", "[30][31]", "[5][64]", "[33][129]", "[2][513]", "[2][1000]", "[1][20000]"}) {
    for (const char* entry : {"steps", "changing_places", "scans", "sums", "slopes", "hists", "scatters"})
      expect_same(entry, {fmt::format("{}i32", shape)});
  }
}

// The threads that have not failed must not wait for those that have, nor use what they have not written.
TEST_F(Teams, MayFail) {
  expect_same("failing", {"[1][0]i32", "i64"});
  expect_same("failing", {"[3][300]i32", "i64"}, 1);
  expect_same("tables", {"[3][20]i32", "[5][5]i64"}, 1);
}

// What the device's compiler takes long for, and threads: arrays that change places are not moved, what a step makes anew goes to the piece of memory
// that none of them has, and no loop over an array's elements divides.
TEST_F(Teams, ChangePlacesWithoutBeingMoved) {
  write("swap.fut", R"(
entry swap [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> let (a, _) = loop (a: [m]i32, b: [m]i32) = (map (+ 1) row, map (* 3) row) for i < 5 do (b, map (+ i) a) in a) xs)");
  const std::string kernel = first_kernel("swap.fut");
  auto count = [&](const std::string& word) { return count_of(word, kernel); };
  EXPECT_EQ(count(" += team_"), 4U) << kernel;
  EXPECT_EQ(count(" = (int32_t *)"), 3U) << kernel;
  EXPECT_EQ(count("div"), 0U) << kernel;
}

// Scans and sums are those of warps by shuffles, and then of the warps; a row that is made last is made where it stays.
TEST_F(Teams, WaitForEachOtherRarely) {
  write("scan.fut", R"(
entry scans [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  #[incremental_flattening(only_intra)] map (\row -> let s = scan (+) 0 row in map (* s[m / 2]) s) xs)");
  const std::string kernel = first_kernel("scan.fut");
  // Before the scan, behind what its warps have, behind it, before the product, and before the next row.
  EXPECT_EQ(count_of(" HD_BARRIER()", kernel), 5U) << kernel;
  EXPECT_EQ(count_of(" HD_SHUFFLE(", kernel), 4U) << kernel;
  EXPECT_EQ(count_of("HD_SHARED", kernel), 2U) << kernel;
}

// In global memory an array is as large as there are threads, which are no more than those of 2112 blocks.
TEST_F(Teams, AreFewerWhereThreadsHaveArrays) {
  write("arrays.fut", R"(
entry arrays [n] [m] (k: i64) (xss: [n][m]i64) : [n][m]i64 =
  #[incremental_flattening(only_intra)]
  map (\row -> scan (+) 0 (map (\x ->
    let ys = loop ys = replicate k x for i < k do ys with [i] = ys[(i * 7 + x) % k] + i
    in loop s = 0 for i < k do s + ys[(s % k + k) % k] + ys[i]) row)) xss)");
  ProcessResult r = run({HEDDLE, "compile", "arrays.fut", "--emit=host-ir"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  size_t arrays = 0;
  for (size_t at = r.out.find("alloc scratch"); at != std::string::npos; at = r.out.find("alloc scratch", at + 1)) {
    EXPECT_NE(r.out.substr(at, r.out.find('\n', at) - at).find(", 2112)"), std::string::npos) << r.out;
    ++arrays;
  }
  EXPECT_GT(arrays, 0U);
}

// The threads that store a row are neighbours in it.
TEST_F(Teams, StoreTheirRowsOneBehindTheOther) {
  ProcessResult r = run({HEDDLE, "compile", "program.fut", "--emit=host-ir"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("alloc defunc_0_map_res"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find(" order (1, 0)"), std::string::npos) << r.out;
}

// The kernels of a long program are several modules, so that they are compiled side by side and kept one by one.
TEST_F(Teams, AreCompiledInParts) {
  ProcessResult r = run({"./program", "-e", "scans", "-L"}, "[[1i32, 2i32, 3i32]]");
  ASSERT_EQ(r.exit_code, 0) << r.err;
  size_t modules = 0;
  for (const char* made : {"Compiled kernels in", "Restored kernels from"}) {
    for (size_t at = r.err.find(made); at != std::string::npos; at = r.err.find(made, at + 1)) ++modules;
  }
  EXPECT_GT(modules, 1U) << r.err;
}

// Threads of the blocks that a call launches first, on a device that is taken for one that is filled by so many rows.
class TeamSizes : public CpuAsGpu {
 protected:
  void SetUp() override {
    CpuAsGpu::SetUp();
    if (IsSkipped()) return;
    write("sizes.fut", R"(
entry greatest [n] [m] (xs: [n][m]i32) : [n]i32 = map (\row -> let s = i32.sum row in i32.maximum (map (\x -> x % (s + 1)) row)) xs
entry tiles [n] [m] [k] (xs: [n][m][k]i32) : [n][m][k]i32 =
  #[incremental_flattening(only_intra)] map (\t -> let s = i32.sum (flatten t) in map (map (+ s)) t) xs
entry steps [n] [m] (xs: [n][m]i32) : [n]i32 =
  #[incremental_flattening(only_intra)]
  map (\row -> i32.sum (map (\x -> loop s = x for i < x % 5 do s * 3 + i) row)) xs
def next [m] (k: i64) (a: [m]i64) : [m]i64 = scan (+) k (map (\i -> a[m - 1 - i] * k + i) (iota m))
entry many [n] [m] (xs: [n][m]i32) : [n]i64 =
  #[incremental_flattening(only_intra)]
  map (\row -> let (a, b, c) = let a = scan (+) 0 (map i64.i32 row) let b = next 1 a in (a, b, next 2 b)
               let (d, e, f) = let d = next 3 c let e = next 4 d in (d, e, next 5 e)
               let (g, h, k) = let g = next 6 f let h = next 7 g in (g, h, next 8 h)
               in i64.sum (map (\i -> a[i] + b[m - 1 - i] * c[(i + 1) % m] - d[i / 2] * e[i / 3] + f[i / 4] * g[i / 5] - h[i / 6] * k[i / 7]) (iota m))) xs
entry squares [n] [m] (xs: [n][m][m]i32) : [n][m][m]i32 =
  map (\a -> loop a for i < 2 do let r = copy a[i % m] in map (map2 (\y x -> x + y * i32.i64 i) r) a) xs)");
    EXPECT_EQ(run({HEDDLE, "cuda", "sizes.fut", "-o", "sizes"}).exit_code, 0);
  }

  std::string launched(const std::string& entry, const std::string& shape) {
    const std::string data = run({FUTHARK, "dataset", "-b", "--i32-bounds=0:9", "-g", shape + "i32"}).out;
    ProcessResult r = run({"./sizes", "-e", entry, "-D", "--default-threshold", "300", "-b"}, data);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    const size_t at = r.err.find("Launched entry");
    return at == std::string::npos ? r.err : r.err.substr(at, r.err.find('\n', at) - at);
  }
};

TEST_F(TeamSizes, FollowFromRowsAndTheirNumber) {
  EXPECT_THAT(launched("greatest", "[3][100]"), HasSubstr("blocks of 128 threads"));
  EXPECT_THAT(launched("greatest", "[3][600]"), HasSubstr("blocks of 256 threads"));
  EXPECT_THAT(launched("tiles", "[3][10][20]"), HasSubstr("blocks of 256 threads"));
  // There are enough of them for 32 threads each, or for an eighth of their elements.
  EXPECT_THAT(launched("greatest", "[2500][95]"), HasSubstr("blocks of 256 threads"));
}

// Few blocks have room for arrays beside each other, which have more threads then.
TEST_F(TeamSizes, FollowFromArrays) {
  EXPECT_THAT(launched("many", "[2500][40]"), HasSubstr("2500 blocks of 32 threads"));
  EXPECT_THAT(launched("many", "[2500][500]"), HasSubstr("2500 blocks of 128 threads"));
}

// A point that takes long has a thread of its own.
TEST_F(TeamSizes, FollowFromPointsThatLoop) {
  EXPECT_THAT(launched("steps", "[2500][100]"), HasSubstr("2500 blocks of 128 threads"));
}

// As long as rows are short, each of many is for one thread.
TEST_F(TeamSizes, LongRowsAreForBlocks) {
  EXPECT_THAT(launched("greatest", "[2500][96]"), HasSubstr("2500 blocks of 32 threads"));
  EXPECT_THAT(launched("greatest", "[2500][500]"), HasSubstr("2500 blocks of 64 threads"));
}

// Few blocks leave most of a device idle, if each has much to do.
TEST_F(TeamSizes, FewBlocksAreForLittleWork) {
  EXPECT_THAT(launched("squares", "[2][20][20]"), HasSubstr(" 2 blocks of 256 threads"));
  EXPECT_THAT(launched("squares", "[2][100][100]"), Not(HasSubstr(" 2 blocks of 256 threads")));
}

TEST_F(Teams, AreExplained) {
  ProcessResult r = run({HEDDLE, "explain", "program.fut"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("recipe: blocks of threads, each doing the work of a point together"), std::string::npos)
      << r.out;
}

}  // namespace
