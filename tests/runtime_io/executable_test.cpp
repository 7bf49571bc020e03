// The hand-written program as a command.
#include <gtest/gtest.h>

#include <sstream>

#include "process.h"

namespace {

ProcessResult run(std::vector<std::string> options, const std::string& input) {
  options.insert(options.begin(), IO_EXECUTABLE);
  return run_process(options, input);
}

struct Case {
  std::vector<std::string> options;
  std::string input;
  std::string out;
  std::string err;  // after the program's name and ": "; an empty one must be empty
  int exit_code;
};

TEST(Executable, AnswersAsFutharkDoes) {
  const std::string big(200, '7');
  const Case cases[] = {
      {{}, "[1,2,3] 3.5", "3.500000f32\n[1i32, 2i32, 3i32]\n", "", 0},
      {{"-n"}, "[1,2,3] 3.5", "", "", 0},
      {{"--entry-point", "transpose"}, "[[1,2],[3,4]]", "[[1i32, 3i32], [2i32, 4i32]]\n", "", 0},
      {{"-e", "transpose"}, "empty([0][3]i32)", "empty([3][0]i32)\n", "", 0},
      {{"-e", "nothing"}, "", "", "", 0},
      {{"-e", "nothing"}, "-- only a comment\n", "", "", 0},
      {{"-r", "3", "-e", "consume"}, "[1,2]", "[2i32, 2i32]\n", "", 0},
      {{}, "[1,2", "", "Cannot read input #0 of type []i32 (line 1: expected ',' or ']', but the input ends).\n", 1},
      {{}, "[1] x", "", "Error when reading input #1 of type f32 (line 1: expected f32, but got 'x').\n", 1},
      {{}, "[1] 2 3", "", "Expected EOF on stdin after reading input for \"main\".\n", 1},
      {{}, "", "", "Cannot read input #0 of type []i32 (line 1: expected '[' or 'empty', but the input ends).\n", 1},
      {{"-e", "same_size"}, "[1] [2,3]", "", "Error: entry point arguments have invalid sizes.\n", 1},
      {{"-e", "index"},
       "[1,2] 5",
       "",
       "Error: Index [5] out of bounds for array of shape [2].\n\nBacktrace:\n-> #0  io.fut:6:33-37\n   #1  "
       "io.fut:6:1-37\n",
       1},
      {{"-e", "sum_pair"}, "1", "", "Cannot read input #0 of type pair\n", 1},
      {{"excess"}, "", "", "Excess non-option: excess\n", 1},
      {{"-e"}, "", "", "Missing argument for option -e\n", 255},
      {{"--tuning"}, "", "", "Missing argument for option --tuning\n", 255},
      {{"-r", "0"}, "", "", "Need a positive number of runs, not 0\n", 1},
      {{"-r", "x"}, "", "", "Option --runs needs a whole number from 0 to 2147483647, not x\n", 1},
      {{"--default-tile-size", big},
       "",
       "",
       "Option --default-tile-size needs a whole number from 0 to 2147483647, not " + big + "\n",
       1},
      {{"--default-thread-block-size", "999999999999"},
       "",
       "",
       "Option --default-thread-block-size needs a whole number from 0 to 2147483647, not 999999999999\n",
       1},
      {{"--tuning", "/"}, "", "", "When loading tuning file '/': Cannot open file: Is a directory\n", 1},
      {{"--param", "nonexistent=1"}, "", "", "Unknown size: nonexistent\n", 1},
      {{"--param", "main.tile_1"}, "", "", "Invalid argument for size option: main.tile_1\n", 1},
      {{"--param", "main.tile_1=x"}, "", "", "Invalid argument for size option: main.tile_1=x\n", 1},
      {{"-t", "/nonexistent/file"}, "", "", "Cannot open /nonexistent/file: No such file or directory\n", 1},
      {{"--print-params"},
       "",
       "compare.suff_outer_par_0 (threshold(def, !main.suff_outer_par_1))\nmain.tile_1 (tile_size)\n",
       "",
       0},
      {{"-e", "compare", "--param", "compare.suff_outer_par_0=5"}, "5", "true\n", "", 0},
      {{"-e", "compare", "--param", "compare.suff_outer_par_0=5"}, "4", "false\n", "", 0},
      {{"-e", "compare", "--default-threshold", "7"}, "6", "false\n", "", 0},
      {{"-e", "compare", "--default-threshold=7"}, "7", "true\n", "", 0},
  };
  for (const Case& c : cases) {
    ProcessResult result = run(c.options, c.input);
    std::string err = c.err.empty() ? "" : std::string(IO_EXECUTABLE) + ": " + c.err;
    EXPECT_EQ(result.out, c.out) << c.input;
    EXPECT_EQ(result.err, err) << c.input;
    EXPECT_EQ(result.exit_code, c.exit_code) << c.input;
  }
}

TEST(Executable, BinaryOutputIsBinaryInput) {
  ProcessResult first = run({"-b"}, "[1,2,3] 3.5");
  EXPECT_EQ(first.out.size(), 7 + 4 + 1 + 15 + 12 + 1u);
  // The results come in the opposite order of the inputs, each followed by a newline.
  std::string swapped = first.out.substr(12) + first.out.substr(0, 12);
  EXPECT_EQ(run({}, swapped).out, "3.500000f32\n[1i32, 2i32, 3i32]\n");
}

TEST(Executable, OpaqueResultsAreRefusedAfterTheOthers) {
  ProcessResult result = run({"-e", "mixed"}, "4");
  EXPECT_EQ(result.out, "4i32\n");
  EXPECT_EQ(result.err, "Values of type \"pair\" have no external representation.\n");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(run({"-n", "-e", "make_pair"}, "4").exit_code, 0);
}

TEST(Executable, UnknownEntryPointsListTheKnownOnes) {
  ProcessResult result = run({"-e", "nope"}, "");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err.rfind("No entry point 'nope'.  Select another with --entry-point.  Options are:\ni8_0\n", 0),
            0u);
  EXPECT_NE(result.err.find("\ntranspose\n"), std::string::npos);
}

TEST(Executable, UnknownOptionsShowTheUsage) {
  ProcessResult result = run({"--nope"}, "");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("--write-runtime-to FILE"), std::string::npos);
  EXPECT_NE(result.err.find(": Unknown option: --nope\n"), std::string::npos);
  EXPECT_EQ(result.err.find("--dump-cuda"), std::string::npos) << "this program is for the CPU";
  EXPECT_EQ(run({"--help"}, "").exit_code, 0);
  EXPECT_NE(run({"-nQ"}, "").err.find(": Unknown option: -Q\n"), std::string::npos) << "of several in one word";
}

TEST(Executable, WritesOneTimePerRun) {
  TemporaryFolder folder;
  EXPECT_EQ(run({"-t", folder.path("times"), "-r", "4"}, "[1] 2").exit_code, 0);
  std::istringstream times(read_file(folder.path("times")));
  int count = 0;
  for (long long time; times >> time; count++) EXPECT_GE(time, 0);
  EXPECT_EQ(count, 4);
  EXPECT_TRUE(times.eof());
}

// A disk that is full is an error, whatever goes there.
TEST(Executable, SaysWhatCannotBeWritten) {
  ProcessResult result = run({"-n", "-t", "/dev/full", "-r", "4"}, "[1] 2");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, std::string(IO_EXECUTABLE) + ": Cannot write /dev/full: No space left on device\n");
  for (const char* option : {"--help", "--print-params", "-b", "-r 3"}) {
    result = run_process({"/bin/sh", "-c", std::string(IO_EXECUTABLE) + " " + option + " >/dev/full"}, "[1] 2");
    EXPECT_EQ(result.exit_code, 1) << option;
    EXPECT_EQ(result.err, std::string(IO_EXECUTABLE) + ": Cannot write the output: No space left on device\n")
        << option;
  }
}

TEST(Executable, SaysWhyInputCannotBeRead) {
  ProcessResult result = run_process({"/bin/sh", "-c", std::string(IO_EXECUTABLE) + " </"}, "");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            std::string(IO_EXECUTABLE) + ": Cannot read input #0 of type []i32 (reading fails: Is a directory).\n");
}

TEST(Executable, SaysWhichNumbersOfThreadsItLeavesOut) {
  for (const char* text : {"abc", "-3", "4x", "99999999999", " "}) {
    ProcessResult result =
        run_process({"/usr/bin/env", std::string("HEDDLE_THREADS=") + text, IO_EXECUTABLE, "-n"}, "[1] 2");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, std::string("Note: HEDDLE_THREADS is \"") + text +
                              "\", which is no number of threads; there is one per core.\n");
  }
  for (const char* text : {"", "0", "2"}) {
    EXPECT_EQ(run_process({"/usr/bin/env", std::string("HEDDLE_THREADS=") + text, IO_EXECUTABLE, "-n"}, "[1] 2").err,
              "");
  }
}

TEST(Executable, TuningFilesSetParameters) {
  TemporaryFolder folder;
  write_file(folder.path("good"), "-- a comment\n\ncompare.suff_outer_par_0=9\n");
  EXPECT_EQ(run({"-e", "compare", "--tuning", folder.path("good")}, "8").out, "false\n");
  EXPECT_EQ(run({"-e", "compare", "--tuning", folder.path("good")}, "9").out, "true\n");
  write_file(folder.path("bad"), "compare.suff_outer_par_0\n");
  ProcessResult result = run({"--tuning", folder.path("bad")}, "");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("Invalid line 1 (must be of form 'name=int')."), std::string::npos) << result.err;
  write_file(folder.path("other"), "nonexistent=9\ncompare.suff_outer_par_0=9\n");
  result = run({"-e", "compare", "--tuning", folder.path("other")}, "8");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "false\n");
  EXPECT_EQ(result.err, "Note: Unknown name 'nonexistent' on line 1 of the tuning file is left out.\n");
}

TEST(Executable, LogsComparisonsToStderr) {
  ProcessResult result = run({"-e", "compare", "-L"}, "3");
  EXPECT_NE(result.err.find("Compared compare.suff_outer_par_0 <= 3: false.\n"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "false\n");
}

// All options that a program for a GPU has, and that it refuses those for the CPU. Reading the options takes no GPU.
TEST(Executable, TakesCudaOptions) {
  const std::vector<std::string> options = {"-d",
                                            "#1",
                                            "--device",
                                            "H100",
                                            "--unified-memory",
                                            "1",
                                            "--dump-cuda",
                                            "x",
                                            "--load-cuda",
                                            "x",
                                            "--dump-ptx",
                                            "x",
                                            "--load-ptx",
                                            "x",
                                            "--nvrtc-option",
                                            "-G",
                                            "--default-thread-block-size",
                                            "1",
                                            "--default-group-size",
                                            "1",
                                            "--default-grid-size",
                                            "1",
                                            "--default-num-groups",
                                            "1",
                                            "--default-tile-size",
                                            "1",
                                            "--default-reg-tile-size",
                                            "1",
                                            "--default-registers",
                                            "1",
                                            "--default-cache",
                                            "1",
                                            "--default-threshold",
                                            "1",
                                            "--cache-file",
                                            "x",
                                            "-D",
                                            "-L",
                                            "-P",
                                            "-b",
                                            "-n"};
  std::vector<std::string> command = {IO_CUDA_EXECUTABLE};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back("--help");
  ProcessResult result = run_process(command, "");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.rfind("Usage: ", 0), 0u);
  EXPECT_EQ(run_process({IO_CUDA_EXECUTABLE, "--num-threads", "1", "--help"}, "").exit_code, 1);
}

}  // namespace
