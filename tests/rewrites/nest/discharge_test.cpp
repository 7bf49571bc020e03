#include "rewrites/nest/discharge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/verify.h"
#include "rewrites/nest/unused.h"
#include "tests/codegen/random_nest.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// n and m are sizes, i is an index below n, and `at` holds anything.
Block body_of(const std::string& text) {
  return kernel_of(R"(kernel small(
    n_1: i64,
    m_2: i64,
    i_3: i64,
    in_7: global f32[n_1],
    out_8: global f32[n_1],
    at_9: global i64[n_1],
    any_10: global bool) {
)" + text + "}\n")
      .body;
}

std::string canonical(const std::string& text) { return to_text(body_of(text)); }

class Discharge : public ::testing::Test {
 protected:
  Discharge() {
    facts_.size(n_);
    facts_.size(Name{"m", 2});
    facts_.index(Name{"i", 3}, v(n_));
  }
  std::string discharged(const std::string& text) { return to_text(discharge(body_of(text), facts_)); }
  void expect_unchanged(const std::string& text) { EXPECT_EQ(discharged(text), canonical(text)); }

  Name n_{"n", 1};
  NameSource names_{100};
  Facts facts_{names_, no_definition};
};

TEST_F(Discharge, FloatsAndIndicesAreConvertedIn32BitsWhereThatIsEnough) {
  EXPECT_EQ(discharged(R"(
    let y_5: i64 = fptosi_f32_i64(fmax32(0.0f32, fmin32(in_7[i_3], 1.0f32)) * 10.0f32);
    at_9[i_3] := y_5;
    out_8[i_3] := sitofp_i64_f32(y_5);
)"),
            canonical(R"(
    let y_5: i64 = sext_i32_i64(fptosi_f32_i32(fmax32(0.0f32, fmin32(in_7[i_3], 1.0f32)) * 10.0f32));
    at_9[i_3] := y_5;
    out_8[i_3] := sitofp_i32_f32(sext_i64_i32(y_5));
)"));
  expect_unchanged(R"(
    let y_5: i64 = fptosi_f32_i64(in_7[i_3]);
    out_8[i_3] := sitofp_i64_f32(y_5) + sitofp_i64_f32(n_1);
)");
}

TEST_F(Discharge, ChecksOfIndicesGo) {
  EXPECT_EQ(discharged(R"(
    let x_5: i64 = i_3 - 1;
    let ok_6: bool = 0 <= i_3 && i_3 < n_1;
    if !ok_6 { fail 0(i_3); }
    if !(0 <= x_5 && x_5 < n_1) { fail 1(x_5); }
    out_8[i_3] := in_7[x_5];
)"),
            canonical(R"(
    let x_5: i64 = i_3 - 1;
    if !(0 <= x_5) { fail 1(x_5); }
    out_8[i_3] := in_7[x_5];
)"));
}

TEST_F(Discharge, ACheckMakesLaterOnesRedundant) {
  EXPECT_EQ(discharged(R"(
    let x_5: i64 = at_9[i_3];
    if !(0 <= x_5 && x_5 < n_1) { fail 0(x_5); }
    if !(x_5 < n_1) { fail 1(); }
    out_8[x_5] := 1.0f32;
)"),
            canonical(R"(
    let x_5: i64 = at_9[i_3];
    if !(0 <= x_5 && x_5 < n_1) { fail 0(x_5); }
    out_8[x_5] := 1.0f32;
)"));
}

TEST_F(Discharge, NothingFollowsFromChecksInBranchesThatAreOver) {
  expect_unchanged(R"(
    let x_5: i64 = at_9[i_3];
    let ok_6: bool = any_10[];
    if ok_6 {
      if !(x_5 < n_1) { fail 0(); }
      out_8[0] := 1.0f32;
    }
    if !(x_5 < n_1) { fail 1(); }
)");
}

TEST_F(Discharge, WhatAlwaysFailsStillFails) {
  EXPECT_EQ(discharged(R"(
    out_8[i_3] := 1.0f32;
    if !(n_1 < i_3) { fail 3(i_3); }
    out_8[i_3] := 2.0f32;
)"),
            canonical(R"(
    out_8[i_3] := 1.0f32;
    fail 3(i_3);
)"));
}

TEST_F(Discharge, LoopsWithoutIterationsDoNotFail) {
  // The check can only be reached where j < m, so m > 0 may be used in it, but not after the loop.
  EXPECT_EQ(discharged(R"(
    for j_4 in m_2 (serial) {
      if !(0 < m_2) { fail 0(); }
      out_8[j_4] := 1.0f32;
    }
    if !(0 < m_2) { fail 1(); }
)"),
            canonical(R"(
    for j_4 in m_2 (serial) {
      out_8[j_4] := 1.0f32;
    }
    if !(0 < m_2) { fail 1(); }
)"));
}

TEST_F(Discharge, MemoryThatChangesIsNotRemembered) {
  expect_unchanged(R"(
    if !(at_9[0] < n_1) { fail 0(); }
    at_9[0] := m_2;
    if !(at_9[0] < n_1) { fail 1(); }
)");
}

TEST_F(Discharge, ClampsThatDoNothingGo) {
  EXPECT_EQ(discharged("out_8[max(0, min(i_3, n_1 - 1))] := 1.0f32;"), canonical("out_8[i_3] := 1.0f32;"));
  expect_unchanged("out_8[max(0, i_3 - 1)] := 1.0f32;");
}

TEST_F(Discharge, NarrowIndicesAreWidened) {
  std::string narrow = R"(
    let x_5: i32 = sext_i64_i32(i_3);
    out_8[sext_i32_i64(x_5)] := 1.0f32;
)";
  expect_unchanged(narrow);  // n may be large.
  facts_.assume(less(v(n_), i64(1000)));
  EXPECT_EQ(discharged(narrow), canonical("out_8[i_3] := 1.0f32;"));
}

TEST_F(Discharge, GuardsDecideWhatStandsBehindThem) {
  EXPECT_EQ(discharged("out_8[i_3] := 0 < i_3 ? (0 <= i_3 - 1 ? in_7[i_3 - 1] : 7.0f32) : 0.0f32;"),
            canonical("out_8[i_3] := 0 < i_3 ? in_7[i_3 - 1] : 0.0f32;"));
}

TEST_F(Discharge, ConjunctionsLoseTheirDecidedParts) {
  EXPECT_EQ(discharged(R"(
    let x_5: i64 = at_9[i_3];
    let ok_6: bool = (0 <= x_5 && x_5 < n_1) && (0 <= i_3 && i_3 < n_1);
    if !ok_6 { fail 0(); }
    out_8[x_5] := 1.0f32;
)"),
            canonical(R"(
    let x_5: i64 = at_9[i_3];
    let ok_6: bool = 0 <= x_5 && x_5 < n_1;
    if !ok_6 { fail 0(); }
    out_8[x_5] := 1.0f32;
)"));
}

TEST(WithoutUnused, ChainsOfUnusedValuesGo) {
  EXPECT_EQ(to_text(without_unused(body_of(R"(
    let x_5: f32 = in_7[0];
    alloc r_11: register f32;
    r_11[] := x_5;
    let t_12: f32 = r_11[];
    for j_4 in n_1 (serial) { r_11[] := 0.0f32; }
    out_8[0] := 1.0f32;
)"))),
            canonical("out_8[0] := 1.0f32;"));
}

TEST(WithoutUnused, WhatIsReadStays) {
  std::string text = R"(
    alloc r_11: register f32;
    r_11[] := 0.0f32;
    for j_4 in n_1 (serial) {
      let t_12: f32 = r_11[];
      r_11[] := t_12 + 1.0f32;
    }
    out_8[0] := r_11[];
)";
  EXPECT_EQ(to_text(without_unused(body_of(text))), canonical(text));
}

RC_GTEST_PROP(DischargeProperties, KernelsComputeWhatTheyDidBefore, ()) {
  codegen::RandomCase c = codegen::random_case();
  NameSource names(1000000);
  Facts facts(names, no_definition);
  Kernel after = c.kernel;
  after.body = discharge(c.kernel.body, facts);
  RC_CLASSIFY(to_text(after) != to_text(c.kernel), "something was simplified");
  for (const std::string& problem : verify(after)) RC_FAIL(problem + "\n" + to_text(after));
  std::vector<Memory> before_memory = c.buffers, after_memory = c.buffers;
  Outcome before_outcome = evaluate(c.kernel, c.scalars, before_memory);
  Outcome after_outcome = evaluate(after, c.scalars, after_memory);
  RC_ASSERT(!before_outcome.problem);
  if (after_outcome.problem) RC_FAIL(after_outcome.problem->text + "\n" + to_text(after));
  if (before_memory.back().data != after_memory.back().data) RC_FAIL(to_text(c.kernel) + to_text(after));
}

}  // namespace
}  // namespace heddle::nest
