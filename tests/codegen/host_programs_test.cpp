// Host code end to end: IR text through lowering to C, compiled with AddressSanitizer, run on values. Leaks fail, too.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/host/generate.h"
#include "frontend_bridge/futhark/reader.h"
#include "ir/seg/verify.h"
#include "rewrites/host/build.h"
#include "rewrites/host/passes.h"
#include "rewrites/plan/planner.h"

namespace heddle::codegen::host {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Outcome {
  int status;
  std::string out, err;
};

class HostPrograms : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = testing::TempDir() + "/heddle_host_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    auto program = futhark::read(read_file(HEDDLE_HOST_PROGRAMS), "host_programs.fut_gpu");
    ASSERT_TRUE(program) << program.error().message;
    for (const seg::Problem& p : seg::verify(*program)) ADD_FAILURE() << p.line << ": " << p.message;
    Result<lower::PlannedProgram> lowered = lower::plan_program(*program);
    ASSERT_TRUE(lowered) << lowered.error().message;
    Result<heddle::host::Program> on_host = heddle::host::build(*lowered, {.compiles = false});
    ASSERT_TRUE(on_host) << on_host.error().message;
    on_host = heddle::host::run_passes(std::move(*on_host), {.compiles = false});
    std::ofstream(folder_ / "program.c") << generate(*on_host, {Target::Cpu, Mode::Executable, "host_programs"});
    std::string compile = fmt::format(
        "{} -std=gnu11 -Wall -Werror -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -o {} {} -lm -pthread "
        "-ldl",
        HEDDLE_CC, (folder_ / "program").string(), (folder_ / "program.c").string());
    compiled_ = std::system(compile.c_str()) == 0;
  }

  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  void SetUp() override { ASSERT_TRUE(compiled_); }

  static Outcome run(const std::string& entry, const std::string& input, const std::string& options = "") {
    std::ofstream(folder_ / "in") << input;
    std::string command =
        fmt::format("cd {} && ./program -e {} {} < in > out 2> err", folder_.string(), entry, options);
    int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(folder_ / "out"), read_file(folder_ / "err")};
  }

  static void expect(const std::string& entry, const std::string& input, const std::string& output) {
    Outcome o = run(entry, input);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, output);
  }

  static void expect_failure(const std::string& entry, const std::string& input, const std::string& message) {
    Outcome o = run(entry, input);
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find(message), std::string::npos) << o.err;
    EXPECT_EQ(o.err.find("Sanitizer"), std::string::npos) << o.err;
  }

 private:
  static inline std::filesystem::path folder_;
  static inline bool compiled_ = false;
};

TEST_F(HostPrograms, LoopsMayExchangeTheirArrays) {
  expect("swap", "[1i32,2i32] [3i32,4i32] 0i64", "[1i32, 2i32]\n[3i32, 4i32]\n");
  expect("swap", "[1i32,2i32] [3i32,4i32] 3i64", "[3i32, 4i32]\n[1i32, 2i32]\n");
  expect("swap", "empty([0]i32) empty([0]i32) 1i64", "empty([0]i32)\nempty([0]i32)\n");
}

TEST_F(HostPrograms, LoopsMayExchangeTheirScalars) {
  expect("rotate_scalars", "0i8", "1i32\n2i32\n3i32\n");
  expect("rotate_scalars", "1i8", "2i32\n3i32\n1i32\n");
  expect("rotate_scalars", "127i8", "2i32\n3i32\n1i32\n");
}

TEST_F(HostPrograms, TwoLoopParametersMayBeTheSameArray) {
  expect("same_init_twice", "[1i32,2i32] 0i64", "[1i32, 2i32]\n[1i32, 2i32]\n");
  expect("same_init_twice", "[1i32,2i32] 2i64", "[1i32, 2i32]\n[1i32, 2i32]\n");
}

TEST_F(HostPrograms, LoopsMayChangeTheSizesOfTheirArrays) {
  expect("doubling", "1i64", "0i64\n[7i32]\n");
  expect("doubling", "3i64", "2i64\n[7i32, 7i32, 7i32, 7i32]\n");
}

TEST_F(HostPrograms, UpdatesHappenInPlace) { expect("in_place", "[1i32,2i32,3i32] 1i64 9i32", "[1i32, 9i32, 3i32]\n"); }

TEST_F(HostPrograms, FailuresKeepTheirTextWhateverItHolds) {
  expect_failure("in_place", "[1i32] 1i64 9i32",
                 "Error: Index [1] out of 100% of \"bounds\".?\?/\n\nBacktrace:\n-> #0  in \"place\".fut:1:2-3\n");
}

TEST_F(HostPrograms, FailuresInLoopsLeakNothing) {
  expect("fail_in_loop", "[1i32,2i32] 3i64", "[1i32, 2i32]\n");
  expect_failure("fail_in_loop", "[1i32,2i32] 4i64", "Error: step 3.000000 false\n");
}

TEST_F(HostPrograms, SafeUpdatesOutOfBoundsDoNothing) {
  const std::string a = "[[1i32,2i32],[3i32,4i32]] ";
  expect("safe_updates", a + "1i64 0i64 [7i32,8i32]", "[[7i32, 8i32], [100i32, 4i32]]\n");
  expect("safe_updates", a + "2i64 1i64 [7i32,8i32]", "[[1i32, 2i32], [3i32, 4i32]]\n");
  expect("safe_updates", a + "-1i64 -1i64 [7i32]", "[[1i32, 2i32], [3i32, 4i32]]\n");
  expect("safe_updates", a + "-1i64 5i64 empty([0]i32)", "[[1i32, 2i32], [3i32, 4i32]]\n");
}

TEST_F(HostPrograms, FlatSlices) {
  expect("flat", "[0i64,1i64,2i64,3i64,4i64,5i64,6i64,7i64]",
         "[[1i64, 2i64, 3i64], [5i64, 6i64, 7i64]]\n[0i64, 1i64, 2i64, 3i64, 4i64, 0i64, 6i64, 7i64]\n");
}

TEST_F(HostPrograms, ResultsAreRowMajorWhateverTheirLayout) {
  expect("layouts", "[[1f32,2f32,3f32],[4f32,5f32,6f32]]",
         "[[1.000000f32, 4.000000f32], [2.000000f32, 5.000000f32], [3.000000f32, 6.000000f32]]\n"
         "[[1.000000f32, 2.000000f32, 3.000000f32], [4.000000f32, 5.000000f32, 6.000000f32]]\n"
         "[1.000000f32, 4.000000f32, 2.000000f32, 5.000000f32, 3.000000f32, 6.000000f32]\n"
         "[1.000000f32, 2.000000f32, 3.000000f32, 4.000000f32, 5.000000f32, 6.000000f32]\n");
  expect("layouts", "empty([0][3]f32)", "empty([3][0]f32)\nempty([0][3]f32)\nempty([0]f32)\nempty([0]f32)\n");
}

TEST_F(HostPrograms, DimensionsOfOneElement) {
  expect("single", "[[1f32,2f32,3f32],[4f32,5f32,6f32]]",
         "[[[1.000000f32], [4.000000f32]], [[2.000000f32], [5.000000f32]], [[3.000000f32], [6.000000f32]]]\n"
         "[[2.000000f32, 8.000000f32], [4.000000f32, 10.000000f32], [6.000000f32, 12.000000f32]]\n");
  expect("single", "empty([0][3]f32)", "empty([3][0][1]f32)\nempty([3][0]f32)\n");
}

TEST_F(HostPrograms, Literals) {
  expect("literals", "5i32 0.25f32",
         "[[1i32, 5i32, 3i32], [5i32, 3i32, 1i32]]\n[f32.nan, 0.250000f32, -f32.inf]\n[true, false]\n[1.500000f16, "
         "f16.inf]\n"
         "[[40i32, 30i32, 20i32, 10i32], [40i32, 30i32, 20i32, 10i32]]\n");
}

TEST_F(HostPrograms, Constants) { expect("constant", "2i32", "[10i32, 20i32, 30i32, 40i32]\n42i32\n"); }

TEST_F(HostPrograms, SizesOfArgumentsMustAgree) {
  const std::string message = "Error: entry point arguments have invalid sizes.\n";
  expect("sizes", "[[1i32,2i32]] 1i64 [1i32] [1i8,2i8,3i8]", "3i64\n");
  expect_failure("sizes", "[[1i32,2i32]] 2i64 [1i32] [1i8,2i8,3i8]", message);
  expect_failure("sizes", "[[1i32,2i32]] 1i64 [1i32] [1i8,2i8]", message);
  expect_failure("swap", "[1i32] [1i32,2i32] 1i64", message);
}

TEST_F(HostPrograms, BranchesMayYieldWhatExistedBefore) {
  expect("branches", "0i32 2f32 [1i32]", "[1i32]\n1i32\n");
  expect("branches", "5i32 2f32 [1i32]", "[5i32, 5i32]\n2i32\n");
  expect("branches", "5i32 1f32 [1i32]", "[10i32, 20i32, 30i32, 40i32]\n3i32\n");
}

TEST_F(HostPrograms, UnitsTakeNoSpace) { expect("units", "3i64", "3i64\n"); }

TEST_F(HostPrograms, KernelsRunAndFail) {
  expect("kernel", "[1i32,2i32] [1i64,0i64,1i64]", "[2i32, 1i32, 2i32]\n");
  expect("kernel", "[1i32,2i32] empty([0]i64)", "empty([0]i32)\n");
  expect_failure("kernel", "[1i32,2i32] [1i64,2i64]",
                 "Error: Index [2] out of bounds.\n\nBacktrace:\n-> #0  kernel.fut:7:8-9\n   #1  kernel.fut:10:3-20\n");
}

TEST_F(HostPrograms, ThresholdsDecideAndAreLogged) {
  Outcome o = run("kernel", "[1i32] [0i64]", "-L");
  EXPECT_NE(o.err.find("Compared kernel.threshold <= 1: false.\n"), std::string::npos) << o.err;
  o = run("kernel", "[1i32] [0i64]", "-L --param kernel.threshold=1");
  EXPECT_NE(o.err.find("Compared kernel.threshold <= 1: true.\n"), std::string::npos) << o.err;
}

TEST_F(HostPrograms, TuningParametersShowTheirClasses) {
  Outcome o = run("kernel", "", "--print-params");
  EXPECT_EQ(o.out,
            "kernel.tblock_size (thread_block_size)\nkernel.num_tblocks (grid_size)\n"
            "kernel.threshold (threshold(32, !kernel.other))\naccumulate.tblock_size (thread_block_size)\n"
            "accumulate.num_tblocks (grid_size)\n");
}

TEST_F(HostPrograms, AccumulatorsUpdateTheirDestinations) {
  expect("accumulate", "[1i32,2i32,3i32] [0i64,2i64,0i64,7i64]", "[3i32, 2i32, 4i32]\n5i32\n");
}

}  // namespace
}  // namespace heddle::codegen::host
