#include "rewrites/nest/interchange.h"

#include "ir/nest/printer.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// for i in n { for j in m { both[to] := both[from] + in[i][j] } }
Kernel recurrence(const std::string& to, const std::string& from) {
  return matrix_kernel("for i_10 in n_1 (serial) { for j_11 in m_2 (serial) { both_8" + to + " := both_8" + from +
                       " + in_5[i_10][j_11]; } }");
}

void expect_legal(const Kernel& before, const Names& s) {
  Names names = s;
  Kernel after = rewritten(interchange(before, s.i, names.fresh));
  for (int64_t n : {0, 1, 2, 7}) {
    for (int64_t m : {0, 1, 3, 5}) expect_same(before, after, {{s.n, n}, {s.m, m}, {s.tile, 1}, {s.points, 1}});
  }
}

TEST(Interchange, MovesWhatStandsBetweenInside) {
  Names s;
  Kernel before = matrix_kernel(R"(
  for i_10 in n_1 (serial) {
    let x_16: i64 = n_1 - 1 - i_10;
    if x_16 < 5 {
      for j_11 in m_2 (serial) {
        out_7[x_16][j_11] := in_5[x_16][j_11];
      }
    }
  }
)");
  Result<Rewritten> result = interchange(before, s.i, s.fresh);
  EXPECT_GOLDEN("rewrites/nest/interchange/what_stands_between.nest", to_text(rewritten(result)));
  EXPECT_EQ(result->why_legal, "no dependence over (i_10, j_11) has the direction (<, >): out_7 (=, =)");
  expect_legal(before, s);
}

TEST(Interchange, IsLegalForOtherDirections) {
  Names s;
  expect_legal(recurrence("[i_10 + 1][j_11]", "[i_10][j_11]"), s);      // (<, =)
  expect_legal(recurrence("[i_10 + 1][j_11 + 1]", "[i_10][j_11]"), s);  // (<, <)
  expect_legal(recurrence("[i_10][j_11 + 1]", "[i_10][j_11]"), s);      // (=, <)
}

TEST(Interchange, RefusesDependencesThatWouldTurnAround) {
  Names s;
  Kernel k = recurrence("[i_10 + 1][j_11]", "[i_10][j_11 + 1]");
  EXPECT_EQ(refusal(interchange(k, s.i, s.fresh)),
            "iterations of i_10 and j_11 may depend on each other in the direction (<, >) through both_8");
  // The same the other way round: an element is read before it is overwritten.
  k = recurrence("[i_10][j_11 + 1]", "[i_10 + 1][j_11]");
  EXPECT_NE(refusal(interchange(k, s.i, s.fresh)), "done");
  // Not affine, so not known.
  k = recurrence("[i_10][j_11 * j_11]", "[i_10][j_11]");
  EXPECT_EQ(refusal(interchange(k, s.i, s.fresh)), "done") << "the first dimension is another in each iteration of i";
  k = recurrence("[i_10 * i_10][j_11]", "[i_10][j_11 + 1]");
  EXPECT_NE(refusal(interchange(k, s.i, s.fresh)), "done");
}

TEST(Interchange, ReordersReductionsOnly) {
  Names s;
  auto reduction = [](const std::string& value) {
    return matrix_kernel("for i_10 in n_1 (serial) { for j_11 in m_2 (serial) { both_8[0][0] := " + value + "; } }");
  };
  expect_legal(reduction("both_8[0][0] + in_5[i_10][j_11]"), s);
  auto refused = [&](const std::string& value) { return refusal(interchange(reduction(value), s.i, s.fresh)); };
  EXPECT_NE(refused("in_5[i_10][j_11] + both_8[0][0] * 2.0f32"), "done");
  EXPECT_NE(refused("both_8[0][0] - in_5[i_10][j_11]"), "done");
  EXPECT_NE(refused("in_5[i_10][j_11]"), "done") << "the last one to store wins";
}

TEST(Interchange, Refuses) {
  Names s;
  auto refused = [&](const std::string& body) {
    return refusal(interchange(matrix_kernel("for i_10 in n_1 (serial) {" + body + "}"), s.i, s.fresh));
  };
  EXPECT_EQ(refused("let x_16: i64 = i_10; for j_11 in x_16 (serial) { out_7[i_10][j_11] := in_5[i_10][j_11]; }"),
            "the extent of j_11 depends on i_10");
  EXPECT_EQ(refused("both_8[i_10][0] := 0.0f32; for j_11 in m_2 (serial) { out_7[i_10][j_11] := in_5[i_10][j_11]; }"),
            "i_10 has no loop directly inside, or more than that");
  EXPECT_EQ(refused("if 0 < m_2 { for j_11 in n_1 / m_2 (serial) { out_7[i_10][j_11] := in_5[i_10][j_11]; } }"),
            "the extent of j_11 is defined only under the conditions around it");
  EXPECT_EQ(refused("for j_11 in m_2 (serial) { fail 0(i_10); out_7[i_10][j_11] := in_5[i_10][j_11]; }"),
            "it may fail inside, and the first failure is the one that is reported");
}

}  // namespace
}  // namespace heddle::nest
