// How a program's C text is compiled: by which commands, and what is told meanwhile.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/runtime_io/process.h"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

// A kernel, a copy by the runtime's own (the transposition), and failures in both.
const std::string kProgram = R"(types {
}

entry("main", {xs: [][]i32, i: i64}, {[][]i32, i32})
entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32, i_4 : i64) : {i64, [m_2][?0]i32, i32} = {
  let {size_5 : i64} = get_size(size_5, thread_block_size)
  let {groups_6 : i64} = sdiv_up64(n_1, size_5)
  let {sums_7 : [n_1]i32} = segmap(thread; ; grid=groups_6; blocksize=size_5) (gtid_8 < n_1) (~tid_9) : {i32} {
    let {x_10 : i32} = xs_3[gtid_8, 0i64]
    let {sum_11 : i32} = add32(x_10, 1i32)
    return {returns sum_11}
  }
  let {x_12 : bool} = sle64(0i64, i_4)
  let {y_13 : bool} = slt64(i_4, n_1)
  let {bounds_check_14 : bool} = logand(x_12, y_13)
  let {index_certs_15 : unit} = assert(bounds_check_14, {"Index [", i_4 : i64, "] out of bounds."}, "p.fut:2:40-45")
  let {res_16 : i32} = #{index_certs_15} sums_7[i_4]
  let {length_17 : i64} = add64(n_1, n_1)
  let {twice_18 : [length_17][m_2]i32} = concat@0(length_17, xs_3, xs_3)
  let {turned_19 : [m_2][length_17]i32} = rearrange((1, 0), twice_18)
  in {length_17, turned_19, res_16}
}
)";

// So many kernels, the k-th of which adds k to the first column, and the sum of their results at i.
std::string long_program(int kernels) {
  std::string text = R"(types {
}

entry("main", {xs: [][]i32, i: i64}, {i32})
entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32, i_4 : i64) : {i32} = {
  let {size_5 : i64} = get_size(size_5, thread_block_size)
  let {groups_6 : i64} = sdiv_up64(n_1, size_5)
  let {total_7 : i32} = 0i32
)";
  for (int k = 0; k < kernels; ++k) {
    int tag = 8 + 8 * k;
    text += fmt::format(R"(
  let {{sums_{0} : [n_1]i32}} = segmap(thread; ; grid=groups_6; blocksize=size_5) (gtid_{1} < n_1) (~tid_{2}) : {{i32}} {{
    let {{x_{3} : i32}} = xs_3[gtid_{1}, 0i64]
    let {{sum_{4} : i32}} = add32(x_{3}, {5}i32)
    return {{returns sum_{4}}}
  }}
  let {{at_{6} : i32}} = sums_{0}[i_4]
  let {{total_{7} : i32}} = add32(total_{8}, at_{6})
)",
                        tag, tag + 1, tag + 2, tag + 3, tag + 4, k, tag + 5, tag + 7, tag - 1);
  }
  return text + fmt::format("  in {{total_{}}}\n}}\n", 7 + 8 * kernels);
}

class CCompiler : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_.path("p.fut_gpu"), kProgram);
    write_file(folder_.path("logged-cc"), "#!/bin/sh\necho \"$*\" >>calls\nexec cc \"$@\"\n");
    write_file(folder_.path("slow-cc"), "#!/bin/sh\nsleep 2\nexit 1\n");
    for (const char* name : {"logged-cc", "slow-cc"})
      std::filesystem::permissions(folder_.path(name), std::filesystem::perms::owner_all);
  }

  ProcessResult run(const Words& environment, const Words& command, const std::string& input = "") {
    Words words = {"/usr/bin/env", "-C", folder_.path(""), "-u", "CFLAGS"};
    words.insert(words.end(), environment.begin(), environment.end());
    words.insert(words.end(), command.begin(), command.end());
    return run_process(words, input);
  }

  // Where the C compiler is the machine's own, by that name.
  std::string path_with_logged_cc() {
    std::filesystem::create_directory(folder_.path("bin"));
    write_file(folder_.path("bin/cc"), "#!/bin/sh\necho \"$*\" >>calls\nPATH=${PATH#*:}\nexec cc \"$@\"\n");
    std::filesystem::permissions(folder_.path("bin/cc"), std::filesystem::perms::owner_all);
    return "PATH=" + folder_.path("bin") + ":" + std::getenv("PATH");
  }

  // The calls of the C compiler, those that run at the same time in alphabetical order.
  Words calls() const {
    std::istringstream in(read_file(folder_.path("calls")));
    Words lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    if (!lines.empty()) std::sort(lines.begin(), lines.end() - 1);
    return lines;
  }

  void expect_result() {
    ProcessResult result = run({}, {"./p"}, "[[1, 2], [3, 4], [5, 6]] 1i64");
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, "[[1i32, 3i32, 5i32, 1i32, 3i32, 5i32], [2i32, 4i32, 6i32, 2i32, 4i32, 6i32]]\n4i32\n");
    result = run({}, {"./p"}, "[[1, 2]] 1i64");
    EXPECT_THAT(result.err, HasSubstr("Index [1] out of bounds."));
  }

  TemporaryFolder folder_;
};

TEST_F(CCompiler, OptimisesTheKernelsOfACpuProgramInFullAndTheRestLess) {
  ProcessResult result = run({"CC=./logged-cc"}, {HEDDLE, "cpu", "p.fut_gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(calls(),
              ElementsAre(AllOf(HasSubstr(" -O2 -DHD_ONLY_HOST -c "), Not(HasSubstr("-O3"))),
                          AllOf(HasSubstr(" -O3 -falign-loops=32 -DHD_ONLY_KERNELS -c "), Not(HasSubstr("-Og"))),
                          AllOf(HasSubstr(" -Og -DHD_ONLY_RUNTIME -c "), Not(HasSubstr("-O3"))),
                          EndsWith(" -lm -ldl -lpthread")));
  expect_result();
  Words files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path("")))
    files.push_back(entry.path().filename());
  EXPECT_THAT(files, testing::UnorderedElementsAre("p", "p.c", "p.fut_gpu", "calls", "logged-cc", "slow-cc"));
}

TEST_F(CCompiler, FindsTheRuntimeCompiledIfItIsTheMachinesOwn) {
  ProcessResult result = run({"-u", "CC", path_with_logged_cc()}, {HEDDLE, "cpu", "p.fut_gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(calls(), ElementsAre(HasSubstr(" -DHD_ONLY_HOST -c "), HasSubstr(" -DHD_ONLY_KERNELS -c "),
                                   HasSubstr(".runtime.o ")));
  expect_result();
  EXPECT_EQ(run({}, {"find", ".", "-name", "*.o"}).out, "");
}

TEST_F(CCompiler, CompilesManyKernelsByHalves) {
  constexpr int kKernels = 300;
  write_file(folder_.path("p.fut_gpu"), long_program(kKernels));
  ProcessResult result = run({"-u", "CC", path_with_logged_cc()}, {HEDDLE, "cpu", "p.fut_gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(calls(),
              ElementsAre(HasSubstr(" -DHD_ONLY_HOST -c "), HasSubstr(" -DHD_ONLY_KERNELS -DHD_KERNELS_HALF=0 -c "),
                          HasSubstr(" -DHD_ONLY_KERNELS -DHD_KERNELS_HALF=1 -c "), HasSubstr(".more.o ")));
  result = run({}, {"./p"}, "[[1, 2], [3, 4]] 1i64");
  EXPECT_EQ(result.out, fmt::format("{}i32\n", 3 * kKernels + kKernels * (kKernels - 1) / 2)) << result.err;
  EXPECT_EQ(run({}, {"find", ".", "-name", "*.o"}).out, "");
  // The text is whole, too.
  result = run({}, {"cc", "-std=gnu11", "-O0", "p.c", "-o", "whole", "-lm", "-ldl", "-lpthread"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(CCompiler, FindsTheRuntimeOfACudaProgramCompiled) {
  ProcessResult result = run({"-u", "CC", path_with_logged_cc()}, {HEDDLE, "cuda", "p.fut_gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(calls(), ElementsAre(AllOf(HasSubstr(" -Og -DHD_ONLY_HOST "), HasSubstr(".runtime.o "))));
  EXPECT_THAT(run({}, {"./p", "--help"}).out, testing::StartsWith("Usage: ./p "));
}

TEST_F(CCompiler, IsCalledOnceWithTheFlagsGiven) {
  ProcessResult result = run({"CC=./logged-cc", "CFLAGS=-O0 -g"}, {HEDDLE, "cpu", "p.fut_gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(calls(), ElementsAre(AllOf(HasSubstr(" -O0 -g "), Not(HasSubstr("HD_ONLY")))));
  expect_result();
}

TEST_F(CCompiler, SeesNoKernelsOfACudaProgram) {
  ProcessResult result = run({"CC=./logged-cc"}, {HEDDLE, "cuda", "p.fut_gpu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(calls(), ElementsAre(AllOf(HasSubstr(" -Og "), Not(HasSubstr("HD_ONLY")))));
  EXPECT_THAT(read_file(folder_.path("p.c")), Not(HasSubstr("\nHD_KERNEL(")));
}

TEST_F(CCompiler, IsWaitedForWithAWordOnATerminalOnly) {
  std::string command = std::string(HEDDLE) + " cuda p.fut_gpu";
  ProcessResult on_terminal = run({"CC=./slow-cc"}, {"script", "-qec", command, "/dev/null"});
  EXPECT_THAT(on_terminal.out, HasSubstr("\033[KC compiler ... 1 s\r"));
  EXPECT_THAT(on_terminal.out, HasSubstr("\r\033[Kheddle: error: "));
  ProcessResult elsewhere = run({"CC=./slow-cc"}, {HEDDLE, "cuda", "p.fut_gpu"});
  EXPECT_EQ(elsewhere.err, "heddle: error: the C compiler ./slow-cc failed on the program made\n");
}

}  // namespace
