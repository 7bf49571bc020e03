// What the evaluator of host programs computes, and what mistakes of programs it finds.
#include "ir/host/eval.h"

#include <gtest/gtest.h>

#include "ir/host/reader.h"

namespace heddle::host {
namespace {

const std::string kBefore = R"(param `main.t` = threshold default 4;
failure (`Index [`, i64, `] is out of bounds`) at `a.fut:1:2`;
kernel doubled(n_101: i64, from_102: global f32[n_101], to_103: global f32[n_101]) {
  for block_104 in n_101 (grid) {
    for thread_105 in 1 (block) {
      if block_104 == 3 {
        fail 0(block_104);
      }
      to_103[block_104] := from_102[block_104] * 2.0f32;
    }
  }
}
constants (k_201: f32[]) {
  alloc k_201: f32[2];
  upload k_201 := (5.0f32, 6.0f32);
  yield k_201;
}
entry `main` () : ()
takes (a_1: f32[], n_2: i64) {
)";

seg::EvalResult run(const std::string& statements, std::vector<float> a, int64_t n) {
  Result<Program> program = read(kBefore + statements + "}\n");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  auto cells = std::make_shared<std::vector<int64_t>>();
  for (float x : a) cells->push_back(seg::to_cell(prim::Value::f32(x)));
  seg::Array array{prim::Type::F32, {static_cast<int64_t>(a.size())}, cells};
  return evaluate(*program, "main", {{array}, {prim::Value::i64(n)}});
}

void expect(const std::string& statements, const std::string& values) {
  seg::EvalResult r = run(statements, {1, 2, 3}, 3);
  EXPECT_EQ(r.outcome, seg::Outcome::Ok) << r.message;
  std::string text;
  for (const seg::TypedValue& v : r.values) text += (text.empty() ? "" : " ") + seg::to_text(v.value);
  EXPECT_EQ(text, values);
}

void expect_broken(const std::string& statements, const std::string& message) {
  seg::EvalResult r = run(statements, {1, 2, 3}, 3);
  EXPECT_EQ(r.outcome, seg::Outcome::Broken);
  EXPECT_NE(r.message.find(message), std::string::npos) << r.message;
}

TEST(HostEval, Launches) {
  expect("alloc b_3: f32[n_2];\nlaunch 0 (n_2) (a_1, b_3);\nyield b_3;\n", "[2.0f32, 4.0f32, 6.0f32]");
  // A window of memory that is written and read by kernels.
  expect(
      "alloc b_3: f32[n_2 * 2];\nfill b_3 := 0.0f32;\nslice w_4 = b_3[2 : n_2 : 1];\nlaunch 0 (n_2) (a_1, w_4);\n"
      "free w_4;\nyield b_3;\n",
      "[0.0f32, 0.0f32, 2.0f32, 4.0f32, 6.0f32, 0.0f32]");
}

TEST(HostEval, FailuresOfKernelsEndTheFunction) {
  seg::EvalResult r = run("alloc b_3: f32[n_2];\nlaunch 0 (n_2) (a_1, b_3);\nyield b_3;\n", {1, 2, 3, 4, 5}, 5);
  EXPECT_EQ(r.outcome, seg::Outcome::ProgramError);
  EXPECT_EQ(r.message, "Index [3] is out of bounds");
  EXPECT_EQ(r.location, "a.fut:1:2");
}

TEST(HostEval, Windows) {
  const std::string matrix =
      "alloc m_3: i32[2][3] order (1, 0);\nupload m_3 := (1i32, 2i32, 3i32, 4i32, 5i32, 6i32);\n";
  expect(matrix + "rearrange t_4 = m_3 (1, 0);\nfree m_3;\nyield t_4;\n", "[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]");
  expect(matrix + "reshape f_4 = m_3 (6);\nfree m_3;\nyield f_4;\n", "[1i32, 2i32, 3i32, 4i32, 5i32, 6i32]");
  expect(matrix + "slice s_4 = m_3[1][2 : 3 : -1];\nfree m_3;\nyield s_4;\n", "[6i32, 5i32, 4i32]");
  expect(matrix +
             "manifest d_5 = m_3 (0, 1);\nfree m_3;\nreshape f_6 = d_5 (6);\nfree d_5;\n"
             "flat s_4 = f_6[1][2 : 2][2 : 1];\nfree f_6;\nyield s_4;\n",
         "[[2i32, 3i32], [4i32, 5i32]]");
  expect("broadcast b_3 = a_1 (2);\nyield b_3;\n", "[[1.0f32, 2.0f32, 3.0f32], [1.0f32, 2.0f32, 3.0f32]]");
}

TEST(HostEval, LoopsChangeTheirParametersAtOnce) {
  expect(
      "share x_3 = a_1;\nalloc y_4: f32[n_2];\nfill y_4 := 0.0f32;\n"
      "loop (p_5: f32[] = x_3, q_6: f32[] = y_4, i_7: i64 = 1, j_8: i64 = 2) for k_9 < n_2 {\n"
      "yield q_6, p_5, j_8, i_7;\n} giving (r_10, s_11, i_12, j_13);\nfree s_11;\nyield r_10, i_12, j_13;\n",
      "[0.0f32, 0.0f32, 0.0f32] 2i64 1i64");
  expect(
      "loop (go_3: bool = true, i_4: i64 = 0) while go_3 {\nyield i_4 < 5, i_4 + 1;\n} giving (gone_5, i_6);\n"
      "yield i_6;\n",
      "6i64");
  // What a loop does not change may be its condition.
  expect("let go_3: bool = n_2 < 0;\nloop (i_4: i64 = 7) while go_3 {\nyield i_4 + 1;\n} giving (i_5);\nyield i_5;\n",
         "7i64");
}

TEST(HostEval, MemoryIsTakenFromWhoHoldsItAlone) {
  // If it was, what held it is overwritten.
  expect(
      "alloc b_3: f32[n_2];\nfill b_3 := 1.0f32;\nshare held_4 = b_3;\nalloc c_5: f32[n_2] from b_3;\n"
      "fill c_5 := 2.0f32;\nfree c_5;\nyield held_4;\n",
      "[1.0f32, 1.0f32, 1.0f32]");
  expect_broken("alloc b_3: f32[n_2];\nfill b_3 := 1.0f32;\nalloc c_5: f32[n_2] from b_3;\nyield c_5;\n",
                "an element is read that nothing wrote");
}

TEST(HostEval, ResultsAreNoConstants) {
  expect("deliver r_3 = k_201;\nfill r_3 := 0.0f32;\nread x_4: f32 = k_201[0];\nyield r_3, x_4;\n",
         "[0.0f32, 0.0f32] 5.0f32");
}

TEST(HostEval, ThresholdsHaveTheirDefaults) {
  expect("compare c_3 = `main.t` <= 4;\ncompare d_4 = `main.t` <= 3;\nyield c_3, d_4;\n", "true false");
}

TEST(HostEval, FindsMistakesWithMemory) {
  expect_broken("alloc b_3: f32[n_2];\n", "main leaves b_3 behind");
  expect_broken("share b_3 = a_1;\nfree b_3;\nfree b_3;\n", "b_3 is used behind its end");
  expect_broken("alloc b_3: f32[n_2];\nread x_4: f32 = b_3[0];\nfree b_3;\n", "an element is read that nothing wrote");
  expect_broken("read x_4: f32 = a_1[3];\n", "index [3] is not within [3]");
  expect_broken("alloc b_3: f32[2];\nlaunch 0 (n_2) (a_1, b_3);\nfree b_3;\n", "not within the memory given for it");
}

TEST(HostEval, ChecksEndTheFunction) {
  seg::EvalResult r = run("check n_2 == 2 else `sizes`;\n", {1}, 1);
  EXPECT_EQ(r.outcome, seg::Outcome::Input);
  EXPECT_EQ(r.message, "sizes");
}

}  // namespace
}  // namespace heddle::host
