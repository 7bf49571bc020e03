// Which way a program takes to compute a contraction, by its sizes, and that all of them compute the same.
#include <gmock/gmock.h>

#include <functional>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// On integers, for which the order of a sum does not matter. The epilogue reads arrays along indices that are merged.
const std::string kProgram = R"(
entry conv [l] [m] [n] [o] [k] [p] [q] (inputs: [l][m][n]i32) (filters: [l][o][k][k]i32) (skip: [p][q]i32) =
  tabulate_3d o (m - k + 1) (n - k + 1) (\out y x ->
    i32.i64 (y * 3 - x) + reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row ->
        reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y:y + k, x:x + k] :> [k][k]i32) filter[out])) inputs filters) + (skip :> [m - k + 1][n - k + 1]i32)[y, x])

entry product [m] [n] [k] (a: [m][k]i32) (b: [k][n]i32) (bias: [n]i32) : [m][n]i32 =
  map (\row -> map2 (\column c -> i32.max c (reduce (+) 0 (map2 (*) row column))) (transpose b) bias) a

entry layers [b] [m] [n] [k] [l] (xs: [b][m][k][l]i32) (w: [k][l][n]i32) : [b][m][n]i32 =
  tabulate_3d b m n (\b i j -> reduce (+) 0 (flatten (map2 (map2 (*)) xs[b, i] w[:, :, j])))

entry of_slices [m] [n] [k] [l] (a: [2][m][k]i32) (b: [l][n]i32) : [][n]i32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row (column :> [k]i32))) (transpose b[1:])) a[1, ::-2]

entry complex [m] [n] [k] (a: [2][m][k]i32) (b: [2][k][n]i32) : ([m][n]i32, [m][n]i32) =
  unzip (map unzip (map2 (\re im ->
    map2 (\re' im' ->
      reduce (\(x, y) (z, w) -> (x + z, y + w)) (0, 0)
             (map4 (\a b c d -> (a * c - b * d, a * d + b * c)) re im re' im'))
      (transpose b[0]) (transpose b[1])) a[0] a[1]))

entry sliced [l] [m] [n] [k] [o] (a: [l][m][n][k]i32) (b: [n][m][3][o][k]i32) : [o]i32 =
  let rows = flatten (a[1:] :> [l - 1][m][n][k]i32)
  in tabulate o (\out ->
    loop sum = 0 for i in iota 3 do
      sum + i32.sum (tabulate m (\j -> i32.sum (map2 (\x y ->
        loop sum = 0 for c < k do sum + x[i * m + j, c] * y[j, i, out, c]) (transpose rows) b))))
)";

class Alternatives : public CpuAsGpu {
 protected:
  void SetUp() override {
    CpuAsGpu::SetUp();
    if (IsSkipped()) return;
    write("ways.fut", kProgram);
    ProcessResult made = run({HEDDLE, "cuda", "ways.fut"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  // The ways that an entry point takes on arrays of these types, after seeing that generic ones compute
  // the same.
  Words ways(const std::string& entry, const Words& types, const Words& environment = {}) const {
    Words dataset = {FUTHARK, "dataset", "--i32-bounds=-9:9"};
    for (const std::string& t : types) dataset.insert(dataset.end(), {"-g", t});
    std::string data = run(dataset).out;
    ProcessResult expected = run({"./ways", "-b", "-e", entry, "--specialize-after=-1"}, data);
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    Words command = environment;
    for (const char* word : {"./ways", "-b", "-L", "-e", entry.c_str(), "--specialize-after=0"})
      command.push_back(word);
    ProcessResult got = run(command, data);
    EXPECT_EQ(got.exit_code, 0) << got.err;
    EXPECT_EQ(got.out, expected.out);
    Words found, chosen = lines_after(got.err, "Chose in ");
    EXPECT_EQ(lines_after(got.err, "Specialized ").size(), chosen.size()) << got.err;
    for (const std::string& line : chosen) {
      std::string name = line.substr(line.find(" for ") + 5);
      name = name.substr(name.find('.') + 1);
      found.push_back(name.substr(0, name.find('.')));
    }
    return found;
  }
};

TEST_F(Alternatives, TheFirstThatSizesLeaveOpenIsTaken) {
  EXPECT_EQ(ways("conv", {"[3][9][11]i32", "[3][5][3][3]i32", "[7][9]i32"}), Words{"contraction_0_transposed"});
  EXPECT_EQ(ways("conv", {"[3][9][11]i32", "[3][5][1][1]i32", "[9][11]i32"}), Words{"contraction_0_merged"});
  EXPECT_EQ(ways("conv", {"[1800][3][5]i32", "[1800][5][1][1]i32", "[3][5]i32"}), Words{"contraction_0_merged_split"});
  EXPECT_EQ(ways("conv", {"[521][4][5]i32", "[521][5][3][3]i32", "[2][3]i32"}), Words{"contraction_0_split"});
}

// Windows of three steps, on such a slow device; of integers, which it rounds no otherwise. Results may be stored over what is added to them,
// which a way that does not do must leave as it is.
TEST_F(Alternatives, FewerProductsAreOnlyTakenWhereTheyPay) {
  write("windows.fut", R"(
entry main [b] [l] [m] [n] [o] [k] (skip: *[b][o][m - k + 1][n - k + 1]f32) (inputs: [b][l][m][n]f32) (filters: [l][o][k][k]f32)
           : *[b][o][m - k + 1][n - k + 1]f32 =
  let sums = map (\images -> tabulate_3d o (m - k + 1) (n - k + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row -> reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y:y + k, x:x + k] :> [k][k]f32) filter[out])) images filters))) inputs
  in map2 (map2 (map2 (map2 (\sum s -> sum + 2 * s)))) sums skip
)");
  ASSERT_EQ(run({HEDDLE, "cuda", "windows.fut"}).exit_code, 0);
  auto numbers = [](const std::vector<int>& shape) {
    int number = 0;
    std::function<std::string(size_t)> rows = [&](size_t d) {
      if (d == shape.size()) return std::to_string((7 * number++) % 19 - 9) + ".0f32";
      std::string row = "[";
      for (int i = 0; i < shape[d]; ++i) row += (i > 0 ? ", " : "") + rows(d + 1);
      return row + "]";
    };
    return rows(0);
  };
  auto ways_taken = [&](const std::string& data, const Words& device) {
    ProcessResult expected = run({"./windows", "--specialize-after=-1"}, data);
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    Words command = device;
    command.insert(command.end(), {"./windows", "-L", "--specialize-after=0"});
    ProcessResult got = run(command, data);
    EXPECT_EQ(got.exit_code, 0) << got.err;
    EXPECT_EQ(got.out, expected.out);
    return testing::PrintToString(lines_after(got.err, "Specialized "));
  };
  const std::string three = numbers({2, 3, 7, 10}) + numbers({2, 5, 9, 12}) + numbers({5, 3, 3, 3});
  const std::string two = numbers({2, 2, 7, 8}) + numbers({2, 3, 8, 9}) + numbers({3, 2, 2, 2});
  const Words slow = {"CPU_AS_GPU_DEVICE=1"};
  EXPECT_THAT(ways_taken(three, slow), AllOf(HasSubstr("_winograd "), Not(HasSubstr("_tiled "))));
  EXPECT_THAT(ways_taken(three, {}), Not(HasSubstr("_winograd ")));
  EXPECT_THAT(ways_taken(two, slow), Not(HasSubstr("_winograd ")));
  // Of taps of which some are zero in all channels nobody knows what they hide.
  const std::string crosses =
      "[[[0f32, 1f32, 0f32], [2f32, -4f32, 1f32], [0f32, 3f32, 0f32]], [[0f32, 2f32, 0f32], [1f32, -5f32, 1f32], "
      "[0f32, 1f32, 0f32]]]";
  const std::string doubtful =
      numbers({2, 2, 7, 10}) + numbers({2, 3, 9, 12}) + "[" + crosses + ", " + crosses + ", " + crosses + "]";
  EXPECT_THAT(ways_taken(doubtful, slow), AllOf(HasSubstr("_winograd "), HasSubstr("_tiled ")));

  ASSERT_EQ(run({HEDDLE, "cuda", "--no-winograd", "windows.fut"}).exit_code, 0);
  EXPECT_THAT(ways_taken(three, slow), Not(HasSubstr("_winograd ")));
}

// On a device that is so slow that a copy takes no time beside arithmetic.
TEST_F(Alternatives, OperandsAreLaidAnewWhereThatPays) {
  auto on_slow_device = [&](const std::string& entry, const Words& types) {
    return ways(entry, types, {"CPU_AS_GPU_DEVICE=1"});
  };
  EXPECT_EQ(on_slow_device("conv", {"[3][9][11]i32", "[3][5][3][3]i32", "[7][9]i32"}), Words{"contraction_0"});
  EXPECT_EQ(on_slow_device("product", {"[47][100]i32", "[100][39]i32", "[39]i32"}), Words{"contraction_0"});
  EXPECT_EQ(on_slow_device("layers", {"[3][5][4][6]i32", "[4][6][7]i32"}), Words{"contraction_0"});
  // 100 x 100 operands take 40 KB each and so does the result, and other things take some: there is no room for a
  // fourth.
  Words square = {"[100][100]i32", "[100][100]i32", "[100]i32"};
  EXPECT_EQ(ways("product", square, {"CPU_AS_GPU_DEVICE=1", "CPU_AS_GPU_BYTES=180000"}), Words{"contraction_0"});
  EXPECT_EQ(ways("product", square, {"CPU_AS_GPU_DEVICE=1", "CPU_AS_GPU_BYTES=150000"}),
            Words{"contraction_0_transposed"});
  EXPECT_EQ(on_slow_device("of_slices", {"[2][43][100]i32", "[101][39]i32"}), Words{"contraction_0"});
  EXPECT_EQ(on_slow_device("complex", {"[2][43][100]i32", "[2][100][39]i32"}), Words{"contraction_0"});
  // Both planes of `a` are laid anew once, as one array; those of `b` lie as they should.
  std::string text = read("ways.c");
  size_t at = text.find("_complex(struct hd_context"), end = text.find("\n}\n", at), copies = 0;
  ASSERT_NE(end, std::string::npos);
  while ((at = text.find("hd_array_pack(", at + 1)) < end) ++copies;
  EXPECT_EQ(copies, 1u);
}

TEST_F(Alternatives, LongReductionsAreSplit) {
  EXPECT_EQ(ways("product", {"[7][100]i32", "[100][9]i32", "[9]i32"}), Words{"contraction_0_transposed"});
  for (const std::string k : {"4096", "3001", "1021"}) {
    EXPECT_EQ(ways("product", {"[7][" + k + "]i32", "[" + k + "][9]i32", "[9]i32"}), Words{"contraction_0_split"});
  }
}

TEST_F(Alternatives, IndicesThatAreNeverApartAreMergedWhateverTheSizes) {
  EXPECT_EQ(ways("layers", {"[3][5][4][6]i32", "[4][6][7]i32"}), Words{"contraction_0_transposed"});
}

// Of views that are made for a split, strides are products of an array's own.
TEST_F(Alternatives, PlacesThatALoopChangesHaveVariantsOfTheirOwn) {
  write("shifted.fut", R"(
entry main [n] [k] (x: [n]i32) (f: [k]i32) : []i32 =
  let m = n - k - 4
  in loop acc = replicate m 0 for by < 5 do
    map2 (+) acc (tabulate m (\i -> i32.sum (map2 (*) (x[i + by:i + by + k] :> [k]i32) f)))
)");
  ASSERT_EQ(run({HEDDLE, "cuda", "shifted.fut"}).exit_code, 0);
  std::string data = run({FUTHARK, "dataset", "-b", "--i32-bounds=-9:9", "-g", "[64]i32", "-g", "[8]i32"}).out;
  ProcessResult expected = run({"./shifted", "-b", "--specialize-after=-1"}, data),
                got = run({"./shifted", "-b", "-L", "--specialize-after=0"}, data);
  EXPECT_EQ(got.exit_code, 0) << got.err;
  EXPECT_EQ(got.out, expected.out);
  // Of five launches four differ in the alignment of what they read first; some may do with the kernel of another.
  EXPECT_GE(lines_after(got.err, "Specialized ").size(), 2U) << got.err;
  EXPECT_LE(lines_after(got.err, "Specialized ").size(), 4U) << got.err;
}

TEST_F(Alternatives, SlicesAreSeenAnew) {
  EXPECT_EQ(ways("sliced", {"[4][2001][3][2]i32", "[3][2001][3][5][2]i32"}), Words{"contraction_0_split"});
}

TEST_F(Alternatives, AreExplainedWithTheirGuards) {
  ProcessResult r = run({HEDDLE, "explain", "ways.fut"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  for (const char* way :
       {"tiled (merged) if ", "tiled (merged_split) if ", "tiled (split) if ", "tiled (transposed) if "})
    EXPECT_NE(r.out.find(way), std::string::npos) << r.out;
  r = run({HEDDLE, "explain", "ways.fut", "--tilings", "l=3,m=9,n=11,o=5,k=3,b=2"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("conv.contraction_0_transposed.5x7x9_3x3x3 on an H100"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("layers.contraction_0_transposed.18x11_9 on an H100"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("  conv.contraction_0_merged is not open, which needs "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("  conv.contraction_0 would be next\n"), std::string::npos) << r.out;
}

TEST_F(Alternatives, NoMemoryIsSoughtForWhatIsNotLaidAnew) {
  std::string data =
      run({FUTHARK, "dataset", "-b", "-g", "[100][100]i32", "-g", "[100][100]i32", "-g", "[100]i32"}).out;
  for (const auto& [after, sought] : {std::pair("0", true), {"-1", false}}) {
    ProcessResult r = run({"CPU_AS_GPU_DEVICE=1", "CPU_AS_GPU_BYTES=150000", "./ways", "-b", "-e", "product",
                           std::string("--specialize-after=") + after},
                          data);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    // 100 x 100 elements of 4 bytes, and what rounds them up.
    EXPECT_EQ(!lines_after(r.err, "There is no room for 40192 bytes.").empty(), sought) << r.err;
  }
}

// The limit of registers of a kernel, where each that has fewer than `needed` spills; and how many were compiled for
// it.
struct Limit {
  int registers;
  size_t compiled, restored;
};

TEST_F(Alternatives, RegistersAreAddedUntilNothingSpills) {
  std::string data =
      run({FUTHARK, "dataset", "-g", "[3][30][30]i32", "-g", "[3][32][3][3]i32", "-g", "[28][28]i32"}).out;
  auto limit = [&](int needed, int threads, const std::string& cache) {
    ProcessResult got =
        run({"CPU_AS_GPU_REGISTERS=" + std::to_string(needed), "HEDDLE_CACHE=" + folder.path(cache),
             "HEDDLE_THREADS=" + std::to_string(threads), "./ways", "-b", "-L", "-e", "conv", "--specialize-after=0"},
            data);
    EXPECT_EQ(got.exit_code, 0) << got.err;
    Words specialized = lines_after(got.err, "Specialized ");
    EXPECT_EQ(specialized.size(), 1u) << got.err;
    std::string values = specialized.empty() ? "registers_0=0" : specialized[0];
    size_t at = values.find('=', values.find(" registers_"));
    // One more is the program itself.
    return Limit{std::stoi(values.substr(at + 1)), lines_after(got.err, "Compiled kernels").size(),
                 lines_after(got.err, "Restored kernels").size()};
  };
  Limit least = limit(0, 1, "a");
  EXPECT_EQ(least.compiled, 2u);
  for (int threads : {1, 4, 16}) {
    std::string cache = "cache" + std::to_string(threads);
    Limit raised = limit(least.registers + 9, threads, cache);
    EXPECT_EQ(raised.registers, least.registers + 16) << threads;
    EXPECT_EQ(raised.compiled, 3u) << threads;
    Limit again = limit(least.registers + 9, threads, cache);
    EXPECT_EQ(again.registers, least.registers + 16) << threads;
    EXPECT_EQ(again.compiled, 0u) << threads;
    EXPECT_EQ(again.restored, 3u) << threads;
    // What was compiled ahead in vain is not kept.
    EXPECT_EQ(limit(least.registers + 17, threads, cache).compiled, 1u) << threads;
    // The last is all that there are for so many blocks at a time.
    int most = limit(1000, threads, cache).registers;
    EXPECT_GT(most, least.registers + 16) << threads;
    EXPECT_EQ(limit(most, threads, cache).registers, most) << threads;
  }
}

}  // namespace
