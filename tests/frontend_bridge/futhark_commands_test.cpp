// heddle in futhark's place: what it hands to the real futhark, and that what it says and answers itself is the same.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "frontend_bridge/cli/last_resort.h"
#include "ir/support/error.h"
#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

using Words = std::vector<std::string>;

class FutharkCommands : public testing::Test {
 protected:
  ProcessResult run(const Words& command, const std::string& input = "") const {
    Words words = {"/usr/bin/env",  "-C", folder_.path(""), "HEDDLE_FUTHARK=" + futhark_, "CFLAGS=-O0",
                   "LC_ALL=C.UTF-8"};
    words.insert(words.end(), command.begin(), command.end());
    return run_process(words, input);
  }
  void write(const std::string& name, const std::string& content) const { write_file(folder_.path(name), content); }

  TemporaryFolder folder_;
  std::string futhark_ = FUTHARK;
};

class WithFuthark : public FutharkCommands {
 protected:
  void SetUp() override { HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler"); }
};

TEST_F(FutharkCommands, ToolsUseHeddle) {
  write("told", "#!/bin/sh\nif [ $1 = --version ]; then echo Futhark 0.25.27.; else printf '%s\\n' \"$@\"; fi\n");
  std::filesystem::permissions(folder_.path("told"), std::filesystem::perms::owner_all);
  futhark_ = folder_.path("told");
  const std::string self = "--futhark=" + std::filesystem::canonical(HEDDLE).string() + "\n";
  for (const std::string tool : {"autotune", "bench", "literate", "script", "test"}) {
    EXPECT_EQ(run({HEDDLE, tool, "--backend=cuda", "a b.fut"}).out, tool + "\n" + self + "--backend=cuda\na b.fut\n");
    // Of two the tools take the last.
    EXPECT_EQ(run({HEDDLE, tool, "--futhark=other", "a.fut"}).out, tool + "\n" + self + "--futhark=other\na.fut\n");
  }
  EXPECT_EQ(run({HEDDLE, "dataset", "-g", "i32"}).out, "dataset\n-g\ni32\n");
  EXPECT_EQ(run({HEDDLE, "run", "-e", "f", "a.fut"}).out, "run\n-e\nf\na.fut\n");
  EXPECT_EQ(run({HEDDLE, "check", "-w", "a.fut"}).out, "check\n-w\na.fut\n");
  EXPECT_EQ(run({HEDDLE, "autotune", "--backend", "opencl", "cpu"}).out,
            "autotune\n" + self + "--backend\nopencl\ncpu\n");
}

// As a program for processors, whose threads do not wait for each other.
TEST_F(WithFuthark, RunReducesAndScansRows) {
  write(
      "rows.fut",
      "entry main [n][m] (xs: [n][m]i32) : ([n]i32, [n][m]i32) = (map (\\r -> i32.maximum (map (^ 1) r)) xs, map (scan "
      "(+) 0) xs)\n");
  const ProcessResult result = run({HEDDLE, "run", "rows.fut"}, "[[1, 5, 2], [6, 4, 0]]");
  EXPECT_EQ(result.out, "[4i32, 7i32]\n[[1i32, 6i32, 8i32], [6i32, 10i32, 10i32]]\n") << result.err;
}

TEST_F(WithFuthark, TestAndBenchRunOnTheCpu) {
  // A run takes long, since bench measures for half a second, and of short ones that would be very many.
  write("twice.fut",
        "-- ==\n-- input { 20000000i64 [1,2] } output { [2,4] }\n"
        "entry main (n: i64) (a: []i32) = let zero = loop x = 0 for i < n do x ^ i in map ((* 2) >-> (+ i32.i64 zero)) "
        "a\n");
  for (const Words& command : {Words{"test", "--backend=cpu"},
                               {"bench", "--backend=cpu", "--runs=1", "--no-convergence-phase"},
                               {"bench", "--backend", "cpu", "--runs=1", "--no-convergence-phase"}}) {
    Words words = {HEDDLE};
    words.insert(words.end(), command.begin(), command.end());
    words.emplace_back("twice.fut");
    ProcessResult result = run(words);
    // Futhark alone has no such backend.
    EXPECT_EQ(result.exit_code, 0) << command[0] << "\n" << result.out << result.err;
  }
}

TEST_F(WithFuthark, CheckIsFutharks) {
  write("bad.fut", "entry main (x: i32) : f32 = x + true\n");
  write("syntax.fut", "entry main (x: i32) = x + \n");
  write("unused.fut", "entry main (y: i32) = let z = 2 in y\n");
  write("unsized.fut", "def f (x: []i32) = x\n");
  std::filesystem::create_directory(folder_.path("folder.fut"));
  for (const Words& words : {Words{"bad.fut"},
                             {"syntax.fut"},
                             {"unused.fut"},
                             {"-w", "unused.fut"},
                             {"--Werror", "unused.fut"},
                             {"unsized.fut"},
                             {"missing.fut"},
                             {"folder.fut"},
                             {"bad.fut", "unused.fut"}}) {
    Words ours = {HEDDLE, "check"}, theirs = {FUTHARK, "check"};
    ours.insert(ours.end(), words.begin(), words.end());
    theirs.insert(theirs.end(), words.begin(), words.end());
    ProcessResult our = run(ours), their = run(theirs);
    EXPECT_EQ(our.exit_code, their.exit_code) << words[0];
    EXPECT_EQ(our.out, their.out) << words[0];
    EXPECT_EQ(our.err, their.err) << words[0];
  }
}

TEST_F(WithFuthark, TheCodeGeneratorsWarningsAreGiven) {
  write("warned.fut",
        "entry main (n: i32) (xs: [1000]i32) =\n"
        "  map (\\i -> (#[warn(safety_checks)] xs[i]) + (#[unroll] loop a = 0 for k < i do a ^ k) + xs[i + 1])\n"
        "      (map (+ n) xs)\n");
  const std::string text =
      "Warning at warned.fut:2:38-43:\n  Safety check required at run-time.\n"
      "\nWarning at unknown location:\n  #[unroll] on loop with unknown number of iterations.\n";
  ProcessResult given = run({HEDDLE, "cpu", "warned.fut"});
  EXPECT_EQ(given.exit_code, 0);
  EXPECT_EQ(given.err, text);
  EXPECT_EQ(run({HEDDLE, "cuda", "-w", "warned.fut"}).err, "");
  std::filesystem::remove(folder_.path("warned"));
  ProcessResult error = run({HEDDLE, "cuda", "--Werror", "warned.fut"});
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_EQ(error.err, text + "Treating above warnings as errors due to --Werror.\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("warned")));
}

TEST(LastResort, WhateverIsThrownIsReported) {
  using heddle::cli::last_resort;
  testing::internal::CaptureStderr();
  EXPECT_EQ(last_resort([]() -> int { heddle::refuse("too large a number"); }), 4);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "heddle is broken: a limit was met where none was expected: too large a number\n"
            "Please report this with the program that caused it.\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(last_resort([]() -> int { throw 7; }), 4);
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("heddle is broken: "), 0u);
  EXPECT_EQ(last_resort([] { return 3; }), 3);
}

}  // namespace
