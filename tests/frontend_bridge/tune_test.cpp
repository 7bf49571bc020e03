// `heddle tune` with a CUDA driver that computes on the processor (tests/campaign/cpu_as_gpu.c): there a kernel takes
// as many microseconds as it has blocks, so the best tiling is the one with the fewest. And `heddle explain --tilings`.
#include <algorithm>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"
#include "tests/frontend_bridge/page_look.h"

namespace {

const std::string kConvolution = R"(-- ==
-- random input { [3][20][22]f32 [3][5][3][3]f32 } auto output
entry main [l] [m] [n] [o] [k] (inputs: [l][m][n]f32) (filters: [l][o][k][k]f32) =
  tabulate_3d o (m - k + 1) (n - k + 1) (\out y x ->
    reduce (+) 0 (map2 (\image filter ->
      reduce (+) 0 (map2 (\window_row filter_row ->
        reduce (+) 0 (map2 (*) window_row filter_row))
        (image[y:y + k, x:x + k] :> [k][k]f32) filter[out])) inputs filters))
)";

// So large that a run takes long: `futhark bench` measures for half a second, and short runs cost more around than in them.
const std::string kRows = R"(-- ==
-- random input { [300000][4]i32 } auto output
-- random input { [4][300000]i32 } auto output
entry main [n] [m] (a: [n][m]i32) : [n]i32 = map (\r -> reduce (\x y -> (x + y) % 1000) 0 r) a
)";

class Tune : public CpuAsGpu {
 protected:
  const std::string name_ = "main.contraction_0_transposed.5x18x20_3x3x3";
};

TEST_F(Tune, FindsTilingsThatProgramsThenUse) {
  write("conv.fut", kConvolution);
  ProcessResult tuned = run({HEDDLE, "tune", "--runs=1", "conv.fut"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_NE(tuned.err.find("It has no thresholds.\n"), std::string::npos) << tuned.err;
  EXPECT_NE(tuned.err.find(name_ + ": 1 of 6 measured, best "), std::string::npos) << tuned.err;
  EXPECT_NE(tuned.out.find("Wrote conv.fut.tuning_heddle: 0 thresholds, 1 tilings.\n"), std::string::npos) << tuned.out;

  // It needs fewer blocks than the model's choice, and each value is used.
  std::string file = read("conv.fut.tuning_heddle");
  double best = 0, first = 0;
  Words notes = lines_after(file, "-- " + name_ + ": ");
  ASSERT_EQ(notes.size(), 1u) << file;
  ASSERT_EQ(std::sscanf(notes[0].c_str(), "%lf us, the model's choice %lf us;", &best, &first), 2) << notes[0];
  EXPECT_LT(best, first);
  ASSERT_EQ(run({"/bin/sh", "-c", "./conv --tuning conv.fut.tuning_heddle </dev/null"}).exit_code, 0);
  ProcessResult built = run({HEDDLE, "cuda", "conv.fut"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  ProcessResult dataset = run({FUTHARK, "dataset", "-g", "[3][20][22]f32", "-g", "[3][5][3][3]f32"});
  ProcessResult used =
      run({"./conv", "-n", "-D", "--tuning=conv.fut.tuning_heddle", "--specialize-after=0"}, dataset.out);
  ASSERT_EQ(used.exit_code, 0) << used.err;
  Words specialized = lines_after(used.err, "Specialized ");
  ASSERT_EQ(specialized.size(), 1u) << used.err;
  Words values = lines_after(file, name_ + ".");
  EXPECT_GT(values.size(), 15u);
  for (const std::string& v : values) {
    std::string constant = v.substr(0, v.find_first_of("=")), value = v.substr(v.find('=')) + " ";
    bool numbered = std::isdigit(static_cast<unsigned char>(constant.back())) != 0;
    std::string start = " " + (numbered ? constant.substr(0, constant.size() - 1) : constant);
    std::transform(start.begin(), start.end(), start.begin(), [](unsigned char c) { return std::toupper(c); });
    std::string upper = specialized[0];
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    // Numbers in the kernel's names are not those of the file.
    bool found = false;
    for (size_t at = 0; (at = upper.find(start, at)) != std::string::npos; ++at) {
      size_t equals = upper.find('=', at);
      found = found || upper.compare(equals, value.size(), value) == 0;
    }
    EXPECT_TRUE(found) << v << " in " << specialized[0];
  }
}

TEST_F(Tune, DrawsWhatItTried) {
  write("conv.fut", kConvolution);
  ProcessResult tuned = run({HEDDLE, "tune", "--runs=1", "--html=page.html", "conv.fut"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  // The highest and the lowest of eight lines, and the axis.
  const size_t from = tuned.out.find(name_ + ", microseconds in the order of measuring:\n");
  ASSERT_NE(from, std::string::npos) << tuned.out;
  Words lines;
  std::istringstream in(tuned.out.substr(from));
  for (std::string line; std::getline(in, line) && !line.empty();) lines.push_back(line);
  ASSERT_EQ(lines.size(), 12u) << tuned.out;
  double most = 0, least = 0;
  ASSERT_EQ(std::sscanf(lines[1].c_str(), "%lf |", &most), 1) << lines[1];
  ASSERT_EQ(std::sscanf(lines[8].c_str(), "%lf |", &least), 1) << lines[8];
  EXPECT_LT(least, most);
  for (int line : {1, 8}) EXPECT_NE(lines[static_cast<size_t>(line)].find_first_of("mo*"), std::string::npos);
  EXPECT_EQ(lines[9], "            +" + std::string(64, '-'));
  size_t models = 0, bests = 0;
  for (size_t i = 1; i < 9; ++i) {
    models += static_cast<size_t>(std::count(lines[i].begin(), lines[i].end(), 'm'));
    bests += static_cast<size_t>(std::count(lines[i].begin(), lines[i].end(), '*'));
  }
  EXPECT_EQ(models, 1u);
  EXPECT_GE(bests, 1u);
  EXPECT_EQ(lines[10].find("             m: the model's choice, *: the best so far, o: others; "), 0u) << lines[10];
  EXPECT_EQ(lines[11].find("             best: warps "), 0u) << lines[11];

  const std::string page = read("page.html");
  for (const char* word : {"src=", "href=", "@import", "url(", "@DATA@"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  look_at_page(folder, folder.path("page.html"),
               {"What heddle tune tried", "Datasets", "before: ", "after: ", name_, "the model's choice took",
                "in the order of measuring", "warps "});
}

// One of the runs that Futhark's bench reports may have waited for a compiler.
TEST_F(Tune, TimesAreMediansOfRunsThatNeedNoCompiler) {
  write("conv.fut", kConvolution);
  write("conv.ir", run({FUTHARK, "dev", "-s", "--extract-kernels", "-e", "conv.fut"}).out);
  write("futhark", R"(#!/bin/sh
case $1 in
  --version) echo Futhark 0.25.27. ;;
  dev) cat conv.ir ;;
  bench)
    echo "$*" >>said
    for word; do
      case $word in --json=*) echo '{"conv.fut":{"datasets":{"noise":{"runtimes":[900000,10,12]}}}}' >"${word#--json=}" ;; esac
    done ;;
esac
)");
  std::filesystem::permissions(folder.path("futhark"), std::filesystem::perms::owner_all);
  ProcessResult tuned = run(
      {"/usr/bin/env", "HEDDLE_FUTHARK=./futhark", HEDDLE, "tune", "--skip-compilation", "-p", "--log", "conv.fut"});
  EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_NE(tuned.out.find("12 us         12 us     1.00\n"), std::string::npos) << tuned.out;
  EXPECT_NE(read("said").find("bench --pass-option=--specialize-after=0 "), std::string::npos) << read("said");
}

// Measured tilings differ in every respect that the search knows; whatever is measured must compute the same.
TEST_F(Tune, AllTilingsMeasuredComputeTheSame) {
  // On integers, for which the order of a sum does not matter.
  std::string integers = kConvolution;
  for (size_t at = 0; (at = integers.find("f32", at)) != std::string::npos;) integers[at] = 'i';
  write("conv.fut", integers);
  ASSERT_EQ(run({HEDDLE, "cuda", "conv.fut"}).exit_code, 0);
  ProcessResult data = run({FUTHARK, "dataset", "-g", "[3][20][22]i32", "-g", "[3][5][3][3]i32"});
  std::string expected = run({"./conv", "--specialize-after=-1"}, data.out).out;
  ASSERT_EQ(expected.find("[[["), 0u);
  ProcessResult tuned = run({"./conv", "-L", "-n", "--tune-tilings=tilings", "--tune-runs=1"}, data.out);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  Words measured = lines_after(tuned.err, "Measured ");
  ASSERT_GT(measured.size(), 20u) << tuned.err;
  for (size_t i = 0; i < measured.size(); i += 4) {
    std::string tiling = measured[i].substr(measured[i].find(": ") + 2), file;
    tiling.back() = ',';  // the full stop
    std::istringstream in(tiling);
    for (std::string value, numbers; in >> value >> numbers;) {
      std::istringstream list(numbers.substr(0, numbers.size() - 1));
      std::string number;
      // There are three indices of either kind.
      bool single = numbers.find('x') == std::string::npos;
      for (int k = 0; std::getline(list, number, 'x'); ++k) {
        file += name_ + "." + value + (single ? "" : "_" + std::to_string(k)) + "=" + number + "\n";
      }
    }
    write("one", file);
    ProcessResult got = run({"./conv", "-L", "--tuning=one", "--specialize-after=0"}, data.out);
    EXPECT_EQ(lines_after(got.err, "Specialized ").size(), 1u) << got.err;
    EXPECT_EQ(lines_after(got.err, "Note: ").size(), 0u) << got.err;
    EXPECT_EQ(got.out, expected) << tiling;
  }
}

TEST_F(Tune, FindsThresholdsOnTheCpu) {
  write("rows.fut", kRows);
  ProcessResult tuned = run({HEDDLE, "tune", "--backend=cpu", "--runs=1", "rows.fut"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_NE(
      tuned.err.find("Thresholds: 2 of 2: main.suff_outer_par_0 on entry point main and dataset [4][300000]i32\n"),
      std::string::npos)
      << tuned.err;
  EXPECT_NE(tuned.out.find("rows.fut: [300000][4]i32  "), std::string::npos) << tuned.out;
  EXPECT_NE(tuned.out.find("Wrote rows.fut.tuning_heddle: 1 thresholds, 0 tilings.\n"), std::string::npos);
  EXPECT_EQ(read("rows.fut.tuning_heddle").find("main.suff_outer_par_0="), 0u);
  // Futhark's own tool finds the file and hands it to the program.
  ProcessResult bench = run({FUTHARK, "bench", "--backend=cpu", "--skip-compilation", "--no-convergence-phase",
                             "--tuning=tuning_heddle", "rows.fut"});
  EXPECT_EQ(bench.exit_code, 0) << bench.out << bench.err;
  EXPECT_NE(bench.out.find("rows.fut (using rows.fut.tuning_heddle)"), std::string::npos) << bench.out;
}

TEST_F(Tune, ATilingThatDoesNotFitIsRefusedByTheNameOfTheResource) {
  write("conv.fut", kConvolution);
  ASSERT_EQ(run({HEDDLE, "cuda", "conv.fut"}).exit_code, 0);
  ProcessResult data = run({FUTHARK, "dataset", "-g", "[3][20][22]f32", "-g", "[3][5][3][3]f32"});
  std::string expected = run({"./conv", "--specialize-after=0"}, data.out).out;
  for (const auto& [setting, resource] : std::vector<std::pair<std::string, std::string>>{
           {"chunk_0=3000", "bytes of shared memory per block, but the device has 232448"},
           {"points_1=64", "registers per thread, but the device has 255"},
           {"lanes_1=3", "the lanes do not make a warp of 32"}}) {
    ProcessResult got = run({"./conv", "--specialize-after=0", "--param=" + name_ + "." + setting}, data.out);
    EXPECT_EQ(got.exit_code, 0) << got.err;
    EXPECT_EQ(got.out, expected);
    EXPECT_NE(
        got.err.find(
            "Note: The tiling given for main.contraction_0_transposed is refused, and the model's used instead: "),
        std::string::npos)
        << got.err;
    EXPECT_NE(got.err.find(resource), std::string::npos) << got.err;
  }
}

TEST_F(Tune, NothingIsWrittenWhereThereIsNothingToTune) {
  write("conv.fut", kConvolution);
  write("twice.fut", "-- ==\n-- random input { [100]i32 }\nentry main (a: []i32) = map (* 2) a\n");
  ProcessResult cpu = run({HEDDLE, "tune", "--backend=cpu", "conv.fut"});
  EXPECT_EQ(cpu.exit_code, 0) << cpu.err;
  EXPECT_EQ(cpu.out,
            "There is nothing to tune in conv.fut: it has no thresholds, and on the CPU nothing is tiled. No file is "
            "written.\n");
  ProcessResult cuda = run({HEDDLE, "tune", "twice.fut"});
  EXPECT_EQ(cuda.exit_code, 0) << cuda.err;
  EXPECT_EQ(cuda.out,
            "There is nothing to tune in twice.fut: it has no thresholds, nor contractions to tile. No file is "
            "written.\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("conv.fut.tuning_heddle")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("twice.fut.tuning_heddle")));
}

TEST_F(Tune, WhatIsWrongIsSaid) {
  const std::string sums = "entry main (a: [][]i32) = map i32.sum a";
  write("none.fut", sums);
  write("wrong.fut", "-- ==\n-- input { [[1,2]] } output { [4] }\n" + sums);
  struct Case {
    Words words;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {{"nowhere.fut"}, "heddle: error: there is no program nowhere.fut\n"},
           {{"--backend=opencl", "none.fut"}, "heddle: error: --backend: opencl not in {cuda,cpu}; try"},
           {{"--runs=0", "none.fut"}, "heddle: error: --runs: "},
           {{"--backend=cpu", "none.fut"}, "heddle: error: none.fut has no datasets to tune for; it needs a comment"},
           {{"--backend=cpu", "wrong.fut"}, "heddle: error: futhark bench failed on wrong.fut, saying:\n"},
           {{"--futhark=/nonexistent", "none.fut"}, "heddle: error: cannot run /nonexistent: heddle needs Futhark"}}) {
    Words words = {HEDDLE, "tune"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    ProcessResult r = run(words);
    EXPECT_EQ(r.exit_code, 1) << c.message;
    EXPECT_NE(r.err.find(c.message), std::string::npos) << r.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path("none.fut.tuning_heddle")));
  }
}

TEST_F(Tune, TilingsAreExplained) {
  write("conv.fut", kConvolution);
  auto explain = [&](const Words& more) {
    Words words = {HEDDLE, "explain", "conv.fut"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  ProcessResult r = explain({"--tilings", "l=64,o=64,m=1000,n=1000,k=5", "--most=3"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out.find("main.contraction_0.64x996x996_64x5x5 on an H100, microseconds:\n"), 0u) << r.out;
  EXPECT_NE(r.out.find("chosen; limited by "), std::string::npos);
  EXPECT_NE(r.out.find("\n 3 "), std::string::npos);
  EXPECT_EQ(r.out.find("\n 4 "), std::string::npos);
  EXPECT_NE(explain({"--tilings=l=3,o=5,m=20,n=22,k=3", "--device=a100"}).out.find("5x18x20_3x3x3 on an A100"),
            std::string::npos);

  // It is what the program chooses when it runs.
  ASSERT_EQ(run({HEDDLE, "cuda", "conv.fut"}).exit_code, 0);
  ProcessResult data = run({FUTHARK, "dataset", "-g", "[3][20][22]f32", "-g", "[3][5][3][3]f32"});
  Words chosen = lines_after(run({"./conv", "-L", "-n", "--specialize-after=0"}, data.out).err, "Chose in ");
  ASSERT_EQ(chosen.size(), 1u);
  std::string tiling = chosen[0].substr(chosen[0].find(": ") + 2);
  tiling.resize(tiling.find(';'));
  r = explain({"--tilings=l=3,o=5,m=20,n=22,k=3"});
  EXPECT_LT(r.out.find("   " + tiling + "\n   chosen"), r.out.find("\n 2 ")) << tiling << "\n" << r.out;

  for (const auto& [sizes, message] : std::vector<std::pair<std::string, std::string>>{
           {"l=3,o=5,m=20,n=22", "sizes are missing: k; give them as in --tilings k=1000\n"},
           {"l=3,o=5,m=20,n=22,k=3,z=1", "no tiling depends on a size z\n"},
           {"k", "\"k\" is no size; sizes are given as in --tilings n=4096,k=5\n"},
           {"k=", "\"k=\" is no size"},
           {"k=3x", "\"k=3x\" is no size"}}) {
    r = explain({"--tilings=" + sizes});
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_NE(r.err.find("heddle: error: " + message), std::string::npos) << r.err;
  }
  write("rows.fut", kRows);
  EXPECT_EQ(run({HEDDLE, "explain", "rows.fut", "--tilings=n=1"}).out, "The program has no tiled contractions.\n");
}

}  // namespace
