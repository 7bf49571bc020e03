// What becomes of the versions of a program, and that ill-formed kernels are noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "frontend_bridge/futhark/reader.h"
#include "frontend_bridge/pipeline.h"
#include "rewrites/plan/planner.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

seg::Program program_of(const std::string& text) {
  Result<seg::Program> program = futhark::read(text, "test.fut_gpu");  // one of them is ill-formed
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return program ? std::move(*program) : seg::Program{};
}

// A row's sum, by one thread and by a block.
const std::string kByThread = R"(
          let {sums_10 : [n_1]i32} =
            segmap(thread; ; grid=1i64; blocksize=256i64)
            (i_11 < n_1) (~t_12) : {i32} {
              let {sum_13 : i32} =
                loop {acc_14 : i32} = {0i32}
                for j_15:i64 < m_2 do {
                  let {x_16 : i32} = xs_3[i_11, j_15]
                  let {next_17 : i32} = add32(acc_14, x_16)
                  in {next_17}
                }
              return {returns sum_13}
            }
          in {sums_10})";
const std::string kByBlock = R"(
          let {sums_20 : [n_1]i32} =
            segmap(block; ; grid=n_1; blocksize=m_2)
            (i_21 < n_1) (~t_22) : {i32} {
              let {sum_23 : i32} =
                segred(inblock; )
                (j_24 < m_2) (~t_25)
                ({0i32},
                ,
                \ {a_26 : i32,
                   b_27 : i32}
                  : {i32} ->
                  let {c_28 : i32} = add32(a_26, b_27)
                  in {c_28})
                : {i32} {
                  let {x_29 : i32} = xs_3[i_21, j_24]
                  return {returns x_29}
                }
              return {returns sum_23}
            }
          in {sums_20})";
const std::string kRefused = R"(
          let {sums_40 : [n_1]i32} =
            segmap(thread; ; grid=1i64; blocksize=256i64)
            (i_41 < n_1) (~t_42) : {i32} {
              let {last_51 : [1i64]i32} = replicate([1i64], 0i32)
              return {tile(n_1 / 1i64) last_51}
            }
          in {sums_40})";
// Nobody can add to all of an array: the verifier refuses this.
const std::string kWrong = R"(
          let {sums_30 : [n_1]i32} =
            segmap(thread; ; grid=1i64; blocksize=256i64)
            (i_31 < n_1) (~t_32) : {i32} {
              let {sum_33 : i32} = add32(xs_3, 1i32)
              return {returns sum_33}
            }
          in {sums_30})";

seg::Program rows(const std::string& result) {
  return program_of(R"(types {}
entry("main", {xs: [][]i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[n_1]i32} = {)" +
                    result + "\n}\n");
}

seg::Program versions(const std::string& then, const std::string& otherwise) {
  return rows(R"(
  let {enough_4 : bool} = slt64(m_2, 100i64)
  let {sums_5 : [n_1]i32} =
        if <equiv> enough_4
        then {)" +
              then + "}\n        else {" + otherwise + "}\n        : {[n_1]i32}\n  in {sums_5}");
}

std::vector<std::string> kernels(const lower::PlannedProgram& lowered) {
  std::vector<std::string> names;
  for (const auto& [stm, op] : lowered.plans) names.push_back(op.launches.at(0).kernel.name);
  return names;
}

TEST(Versions, ThoseOfBlocksAreDroppedWhereThreadsDo) {
  for (bool first : {false, true}) {
    Result<lower::PlannedProgram> lowered =
        compile_kernels(first ? versions(kByBlock, kByThread) : versions(kByThread, kByBlock), true);
    ASSERT_TRUE(lowered) << lowered.error().message;
    EXPECT_THAT(kernels(*lowered), ElementsAre("entry_main_segmap_10"));
    ASSERT_EQ(lowered->dropped.size(), 1u);
    EXPECT_EQ(lowered->dropped[0].reason, "a segmented operation at block level");
  }
}

TEST(Versions, ThoseOfBlocksRemainWhereNothingElseDoes) {
  // Threads return no tiles, so that the block's version is the only one.
  Result<lower::PlannedProgram> lowered = compile_kernels(versions(kByBlock, kRefused), true);
  ASSERT_TRUE(lowered) << lowered.error().message;
  EXPECT_THAT(kernels(*lowered), ElementsAre("entry_main_segmap_20"));
  EXPECT_EQ(lowered->plans.begin()->second.recipe, "direct, each thread doing the work of a block");
  ASSERT_EQ(lowered->dropped.size(), 1u);
  EXPECT_EQ(lowered->dropped[0].reason, "a kernel that returns tiles");
}

TEST(Versions, ThoseOfBlocksRemainWithinVersionsWhereNothingElseDoes) {
  auto renamed = [](const std::string& text, char from, char to) {
    return std::regex_replace(text, std::regex(std::string("_") + from + "([0-9]\\b)"), std::string("_") + to + "$1");
  };
  const std::string inner = "let {inner_60 : [n_1]i32} = if <equiv> enough_4 then {" + kByBlock + "} else {" +
                            kRefused + "} : {[n_1]i32} in {inner_60}";
  for (bool first : {false, true}) {
    const std::string refused = renamed(kRefused, '4', '7');
    Result<lower::PlannedProgram> lowered =
        compile_kernels(first ? versions(inner, refused) : versions(refused, inner), true);
    ASSERT_TRUE(lowered) << lowered.error().message;
    EXPECT_THAT(kernels(*lowered), ElementsAre("entry_main_segmap_20"));
    // Each once, though more than one attempt was made.
    ASSERT_EQ(lowered->dropped.size(), 2u);
    for (const auto& d : lowered->dropped) EXPECT_EQ(d.reason, "a kernel that returns tiles");
  }
}

TEST(Versions, MistakesOfHeddleAreReportedThoughOthersRemain) {
  Result<lower::PlannedProgram> lowered = compile_kernels(versions(kByThread, kWrong), false);
  ASSERT_FALSE(lowered);
  EXPECT_EQ(lowered.error().kind, ErrorKind::Internal);
  EXPECT_EQ(lowered.error().message, "an array stands where a scalar is needed: xs_3");
}

TEST(Functions, NeedNoIdentifiersForNames) {
  for (const char* name : {"7", "f'", "+^"}) {
    Result<lower::PlannedProgram> lowered =
        compile_kernels(program_of(std::string("entry(\"main\", {xs: []i64}, {[]i64})\n") + name +
                                   R"( (n_1 : i64, xs_2 : [n_1]i64) : {[n_1]i64} = {
  let {ys_3 : [n_1]i64} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_4 < n_1) (~t_5) : {i64} {
      let {x_6 : i64} = xs_2[i_4]
      return {returns x_6}
    }
  in {ys_3}
})"),
                        true);
    EXPECT_TRUE(lowered) << lowered.error().message;
  }
}

TEST(Functions, MayUseTheSameNamesForDifferentThings) {
  const std::string segmap = R"(
  let {zs_4 : [n_1]i64} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_5 < n_1) (~t_6) : {i64} {
      let {y_7 : i64} = ys_3[i_5]
      return {returns y_7}
    }
  in {zs_4}
})";
  Result<lower::PlannedProgram> lowered = compile_kernels(program_of(R"(types {}
entry("count", {n: i64}, {[]i64})
  entry_count (n_1 : i64) : {[n_1]i64} = {
  let {ys_3 : [n_1]i64} = iota64(n_1, 0i64, 1i64))" + segmap + R"(
entry("copy", {xs: []i64}, {[]i64})
  entry_copy (n_1 : i64, ys_3 : [n_1]i64) : {[n_1]i64} = {)" + segmap +
                                                                     "\n"),
                                                          true);
  ASSERT_TRUE(lowered) << lowered.error().message;
  for (const auto& [stm, op] : lowered->plans) {
    const nest::Kernel& kernel = op.launches.at(0).kernel;
    size_t num_arrays = kernel.name.starts_with("entry_copy_") ? 2 : 1;
    EXPECT_EQ(kernel.buffers.size(), num_arrays) << kernel.name;
  }
}

// Arrays of threads, of known size and small enough, ask for no memory of the program's: beside what is read and written no buffer is there.
TEST(Kernels, KeepArraysOfThreadsToThreads) {
  auto buffers = [](const std::string& width) {
    const std::string type = "[13i64][" + width + "]i32";
    Result<lower::PlannedProgram> lowered = compile_kernels(rows(R"(
  let {sums_10 : [n_1]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_11 < n_1) (~t_12) : {i32} {
      let {zeros_13 : )" + type + R"(} = replicate([13i64][)" + width +
                                                                 R"(], 0i32)
      let {filled_14 : )" + type + R"(} =
        loop {a_15 : *)" + type + R"(} = {zeros_13}
        for j_16:i64 < m_2 do {
          let {x_17 : i32} = xs_3[i_11, j_16]
          let {row_18 : i64} = smod64(j_16, 13i64)
          let {b_19 : )" + type + R"(} = a_15 with [row_18, 5i64] = x_17
          in {b_19}
        }
      let {r_20 : i32} = filled_14[3i64, 5i64]
      return {returns r_20}
    }
  in {sums_10})"),
                                                            true);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    return lowered ? lowered->plans.begin()->second.launches.at(0).kernel.buffers.size() : 0;
  };
  EXPECT_EQ(buffers("91i64"), 2u);
  EXPECT_EQ(buffers("910i64"), 3u);
  EXPECT_EQ(buffers("m_2"), 3u);
}

// What a loop hands on is one array, and stays where it is, whichever way its steps write into it.
TEST(Kernels, WriteWhereTheArraysAreThatLoopsHandOn) {
  auto buffers = [](const std::string& written) {
    Result<lower::PlannedProgram> lowered = compile_kernels(rows(R"(
  let {sums_10 : [n_1]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_11 < n_1) (~t_12) : {i32} {
      let {row_13 : [m_2]i32} = xs_3[i_11, 0i64 :+ m_2 * 1i64]
      let {own_14 : [m_2]i32} = copy(row_13)
      let {filled_15 : [m_2]i32} =
        loop {a_16 : *[m_2]i32} = {own_14}
        for j_17:i64 < 3i64 do {
          let {x_18 : i32} = a_16[j_17]
          let {b_19 : [m_2]i32} = )" + written + R"(
          in {b_19}
        }
      let {r_20 : i32} = filled_15[0i64]
      return {returns r_20}
    }
  in {sums_10})"),
                                                            true);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    return lowered ? lowered->plans.begin()->second.launches.at(0).kernel.buffers.size() : 0;
  };
  EXPECT_EQ(buffers("a_16 with [j_17] = x_18"), 3u);
  EXPECT_EQ(buffers("scatter(m_2, {row_13}, ([m_2], 1, a_16), \\ {v_21 : i32} : {i64, i32} -> {j_17, v_21})"), 3u);
  EXPECT_EQ(buffers(R"(hist(m_2, {row_13}, {[m_2], 1i64, {a_16}, {0i32}, \ {a_22 : i32, b_23 : i32} : {i32} ->
                              let {c_24 : i32} = add32(a_22, b_23) in {c_24}},
                            \ {v_21 : i32} : {i64, i32} -> {j_17, v_21}))"),
            3u);
}

// A processor's threads make rows in those of the result, others in memory of their own.
TEST(Kernels, OfProcessorsMakeRowsInResults) {
  auto buffers = [](lower::Device device) {
    KernelOptions options;
    options.plan.device = device;
    Result<lower::PlannedProgram> lowered = compile_kernels(program_of(R"(types {}
entry("main", {xs: [][]i32}, {[][]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[n_1][m_2]i32} = {
  let {rows_10 : [n_1][m_2]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_11 < n_1) (~t_12) : {[m_2]i32} {
      let {row_13 : [m_2]i32} = xs_3[i_11, 0i64 :+ m_2 * 1i64]
      let {own_14 : [m_2]i32} = copy(row_13)
      let {filled_15 : [m_2]i32} =
        loop {a_16 : *[m_2]i32} = {own_14}
        for j_17:i64 < m_2 do {
          let {x_18 : i32} = a_16[j_17]
          let {y_19 : i32} = add32(x_18, 1i32)
          let {b_20 : [m_2]i32} = a_16 with [j_17] = y_19
          in {b_20}
        }
      return {returns filled_15}
    }
  in {rows_10}
}
)"),
                                                            options);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    if (!lowered) return size_t{0};
    EXPECT_THAT(lower::verify_kernels(*lowered), IsEmpty());
    return lowered->plans.begin()->second.launches.at(0).kernel.buffers.size();
  };
  EXPECT_EQ(buffers(lower::Device::Threads), 2u);
  EXPECT_EQ(buffers(lower::Device::Blocks), 3u);
}

TEST(Kernels, IllFormedOnesAreReportedByName) {
  Result<lower::PlannedProgram> lowered = compile_kernels(rows(kByThread), true);
  ASSERT_TRUE(lowered) << lowered.error().message;
  EXPECT_THAT(lower::verify_kernels(*lowered), IsEmpty());
  nest::Kernel& kernel = lowered->plans.begin()->second.launches.at(0).kernel;
  kernel.buffers.pop_back();
  std::vector<std::string> problems = lower::verify_kernels(*lowered);
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(problems[0], HasSubstr("kernel entry_main_segmap_10: "));
  EXPECT_THAT(problems[0], HasSubstr("result"));
}

}  // namespace
}  // namespace heddle
