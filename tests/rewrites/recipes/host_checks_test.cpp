// Which checks the host can do for all points, and what it checks then.
#include "rewrites/recipes/host_checks.h"

#include "ir/nest/eval.h"
#include "rewrites/nest/discharge.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::lower {
namespace {

using namespace nest::examples;  // NOLINT: test vocabulary

// Of points i < m, for the statements of a point that reads `in`, an array of n elements.
class HostChecks : public ::testing::Test {
 protected:
  void look_at(const std::string& statements) {
    nest::Kernel kernel = kernel_of(
        "kernel k(n_1: i64, m_2: i64, limit_20: i64, in_5: global i32[n_1], out_7: global i32[m_2]) { for i_10 in m_2 "
        "(serial) {" +
        statements + "} }");
    const auto& points = std::get<nest::For>(kernel.body[0]->node);
    Launch launch;
    launch.kernel = kernel;
    for (const nest::ScalarParam& s : kernel.scalars) launch.scalar_args.emplace_back(nest::var(s.name, s.type));
    nest::Facts facts(s_.fresh, nest::no_definition);
    std::vector<recognize::Index> indices = {{s_.i, points.extent}};
    facts.size(s_.n);
    facts.size(s_.m);
    tell_indices(facts, indices);
    found_ = checks_by_host(points.body, indices, launch, facts);
    EXPECT_FALSE(found_ && nest::may_fail(found_->work));
  }

  // The failure that the host finds for these sizes.
  std::optional<int> failure(int64_t n, int64_t m) {
    for (const HostCheck& c : found_.value().checks) {
      auto holds = nest::evaluate(
          c.holds,
          {{s_.n, prim::Value::i64(n)}, {s_.m, prim::Value::i64(m)}, {Name{"limit", 20}, prim::Value::i64(limit_)}});
      if (!holds) throw std::runtime_error("the host cannot check it");
      if (!holds->as_bool()) return c.failure;
    }
    return std::nullopt;
  }

  Names s_;
  int64_t limit_ = 0;
  std::optional<CheckedByHost> found_;
};

TEST_F(HostChecks, OfClampedIndices) {
  look_at(
      "let at_30: i64 = max(0, min(n_1 -% 1, i_10 -% 1)); if !(at_30 < n_1) { fail 3(at_30, n_1); }"
      "let x_31: i32 = in_5[at_30]; out_7[i_10] := x_31;");
  EXPECT_EQ(failure(5, 7), std::nullopt);
  EXPECT_EQ(failure(0, 0), std::nullopt);  // no point fails where there is none
  EXPECT_EQ(failure(0, 7), 3);
}

// Clamped to a number that has nothing to do with the array: of what rises with the points, the last and the first one tell all.
TEST_F(HostChecks, OfIndicesThatRiseToAnyNumber) {
  look_at(
      "let at_30: i64 = max(0, min(limit_20, i_10 -% 63)); let in_31: bool = -1 < at_30 && at_30 < n_1;"
      "if !in_31 { fail 4(at_30, n_1); } let x_31: i32 = in_5[at_30]; out_7[i_10] := x_31;");
  limit_ = 9;
  EXPECT_EQ(failure(10, 100), std::nullopt);
  EXPECT_EQ(failure(9, 100), 4);
  EXPECT_EQ(failure(9, 72), std::nullopt);
  EXPECT_EQ(failure(0, 0), std::nullopt);
  EXPECT_EQ(failure(0, 1), 4);
  limit_ = -5;
  EXPECT_EQ(failure(1, 100), std::nullopt);
}

TEST_F(HostChecks, StayWhereWhatIsReadTurns) {
  look_at(
      "let at_30: i64 = max(limit_20 -% i_10, i_10 -% 63); if !(at_30 < n_1) { fail 4(at_30, n_1); }"
      "let x_31: i32 = in_5[at_30]; out_7[i_10] := x_31;");
  EXPECT_FALSE(found_);
}

TEST_F(HostChecks, OfSampledOnes) {
  look_at(
      "let at_30: i64 = (i_10 +% 1) / 2; if !(at_30 < n_1) { fail 2(at_30, n_1); }"
      "let x_31: i32 = in_5[at_30]; out_7[i_10] := x_31;");
  EXPECT_EQ(failure(3, 5), std::nullopt);
  EXPECT_EQ(failure(3, 6), 2);
}

TEST_F(HostChecks, WithinLoopsAndBranches) {
  look_at(
      "for k_12 in 3 (serial) { if 0 < k_12 { let at_30: i64 = i_10 +% k_12; if !(at_30 < n_1) { fail 1(at_30, n_1); }"
      "let x_31: i32 = in_5[at_30]; out_7[i_10] := x_31; } }");
  EXPECT_EQ(failure(9, 7), std::nullopt);
  EXPECT_EQ(failure(8, 7), 1);
}

TEST_F(HostChecks, NoneWhereNothingCanFail) {
  look_at("if !(i_10 < m_2) { fail 0(i_10); } out_7[i_10] := 0i32;");
  EXPECT_TRUE(found_.value().checks.empty());
}

TEST_F(HostChecks, StayWhereOnePointSaysNothingOfOthers) {
  look_at("let x_31: i32 = in_5[i_10]; if x_31 < 5i32 { fail 0(i_10); } out_7[i_10] := x_31;");
  EXPECT_FALSE(found_);
  look_at("if i_10 == 5 { fail 0(i_10); } out_7[i_10] := 0i32;");
  EXPECT_FALSE(found_);
  look_at("let x_31: i32 = in_5[i_10]; if 5i32 < x_31 { if !(i_10 < n_1) { fail 0(i_10); } } out_7[i_10] := x_31;");
  EXPECT_FALSE(found_);
}

}  // namespace
}  // namespace heddle::lower
