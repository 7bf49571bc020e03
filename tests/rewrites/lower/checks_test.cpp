// Which checks remain in the kernels of a program, and on what condition a contraction may do without them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "rewrites/nest/discharge.h"

namespace heddle {
namespace {

class Checks : public ::testing::Test {
 protected:
  Checks() {
    std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/checks.fut_gpu");
    std::stringstream text;
    text << file.rdbuf();
    Result<seg::Program> program = read_program(text.str(), "checks.fut_gpu");
    EXPECT_TRUE(program);
    Result<lower::PlannedProgram> lowered = compile_kernels(*program, true);
    EXPECT_TRUE(lowered) << (lowered ? "" : lowered.error().message);
    lowered_ = std::move(*lowered);
  }

  // The only seg op of an entry point.
  const lower::Plan& of(const std::string& entry) {
    for (const auto& [stm, lowered] : lowered_.plans) {
      if (lowered.launches[0].kernel.name.starts_with("entry_" + entry)) return lowered;
    }
    throw std::runtime_error("no kernel of " + entry);
  }

  // The value of a guard for these arguments of an entry point; what stands for arrays is not looked at.
  bool holds(const nest::Expr& guard, const std::string& entry, const std::vector<int64_t>& arguments) {
    std::unordered_map<Name, prim::Value> values;
    for (const seg::FunDef& f : lowered_.program.functions) {
      if (!f.name.starts_with("entry_" + entry)) continue;
      for (size_t i = 0; i < f.params.size(); ++i) {
        if (f.params[i].type.is_scalar()) values.emplace(f.params[i].name, prim::Value::i64(arguments[i]));
      }
      for (const seg::StmPtr& stm : f.body->stms) {
        const auto* e = std::get_if<seg::PrimOp>(&stm->exp);
        if (!e) continue;
        std::vector<prim::Value> args;
        for (const seg::SubExp& a : e->args) {
          if (!a.is_var()) args.push_back(a.value());
          if (a.is_var() && values.contains(a.name())) args.push_back(values.at(a.name()));
        }
        std::optional<prim::Value> value = prim::eval(e->op, args);
        if (value) values.emplace(stm->pat[0].name, *value);
      }
    }
    std::optional<prim::Value> value = nest::evaluate(guard, values);
    EXPECT_TRUE(value) << nest::to_text(guard);
    return value && value->as_bool();
  }

  lower::PlannedProgram lowered_;
};

TEST_F(Checks, ClampedIndicesNeedNone) {
  const lower::Launch& launch = of("clamped").launches[0];
  EXPECT_THAT(launch.failures, ::testing::IsEmpty());
  EXPECT_FALSE(nest::may_fail(launch.kernel.body));
}

TEST_F(Checks, IndicesFromMemoryNeedThem) {
  EXPECT_THAT(of("gather").launches[0].failures, ::testing::Not(::testing::IsEmpty()));
  EXPECT_TRUE(nest::may_fail(of("gather").launches[0].kernel.body));
}

TEST_F(Checks, ArbitraryStridesNeedThemUnlessAGuardRulesOutOddOnes) {
  const lower::Plan& strided = of("strided");
  EXPECT_THAT(strided.launches[0].failures, ::testing::Not(::testing::IsEmpty()));
  ASSERT_FALSE(strided.specialized.empty()) << strided.why_not;
  EXPECT_THAT(strided.specialized.back().launch.failures, ::testing::IsEmpty());
  const nest::Expr& guard = strided.specialized.back().guard;
  ASSERT_TRUE(guard);
  // Sizes n and k, then the two arrays, and the stride.
  auto holds = [&](int64_t n, int64_t k, int64_t s) { return this->holds(guard, "strided", {n, k, 0, 0, s}); };
  EXPECT_TRUE(holds(100, 3, 1));
  EXPECT_TRUE(holds(100, 3, 2));
  EXPECT_TRUE(holds(1 << 30, 1, 7));
  EXPECT_FALSE(holds(100, 3, -1));
  EXPECT_FALSE(holds(100, 3, INT64_MAX));
}

TEST_F(Checks, WhatTheSizesDecideIsDemandedOnceForAllPoints) {
  const lower::Plan& placed = of("placed");
  EXPECT_THAT(placed.launches[0].failures, ::testing::Not(::testing::IsEmpty()));
  ASSERT_FALSE(placed.specialized.empty()) << placed.why_not;
  const nest::Expr& guard = placed.specialized.back().guard;
  ASSERT_TRUE(guard);
  // Sizes h, w and k, then two arrays, and how many places there are.
  auto holds = [&](int64_t h, int64_t w, int64_t k, int64_t rows, int64_t columns) {
    return this->holds(guard, "placed", {h, w, k, 0, 0, rows, columns});
  };
  EXPECT_TRUE(holds(10, 20, 3, 8, 18));
  EXPECT_TRUE(holds(11, 21, 4, 9, 19));
  EXPECT_FALSE(holds(10, 20, 3, 9, 18));
  EXPECT_FALSE(holds(10, 20, 3, 8, 19));
  EXPECT_FALSE(holds(10, 20, 2, 8, 18));
}

TEST_F(Checks, SoIsWhatStandsBehindPadding) {
  const lower::Plan& padded = of("padded");
  EXPECT_THAT(padded.launches[0].failures, ::testing::Not(::testing::IsEmpty()));
  ASSERT_FALSE(padded.specialized.empty()) << padded.why_not;
  ASSERT_TRUE(padded.specialized.back().guard);
  EXPECT_TRUE(holds(padded.specialized.back().guard, "padded", {10, 20, 0, 0, 8}));
  EXPECT_FALSE(holds(padded.specialized.back().guard, "padded", {10, 20, 0, 0, 9}));
}

// Whether a slice goes forwards is a boolean of the host's.
TEST_F(Checks, AndThatSlicesWithAStrideGoForwardsWithinTheArray) {
  const lower::Plan& sliced = of("sliced");
  EXPECT_THAT(sliced.launches[0].failures, ::testing::Not(::testing::IsEmpty()));
  ASSERT_FALSE(sliced.specialized.empty()) << sliced.why_not;
  EXPECT_THAT(sliced.specialized.back().launch.failures, ::testing::IsEmpty());
  const nest::Expr& guard = sliced.specialized.back().guard;
  ASSERT_TRUE(guard);
  // Sizes n and m, then the two arrays, the stride and how many slices there are.
  auto holds = [&](int64_t n, int64_t s, int64_t o) { return this->holds(guard, "sliced", {n, 10, 0, 0, s, o}); };
  EXPECT_TRUE(holds(20, 1, 6));
  EXPECT_TRUE(holds(20, 2, 6));
  EXPECT_FALSE(holds(19, 2, 6));
  EXPECT_FALSE(holds(20, 0, 6));
  EXPECT_FALSE(holds(20, -1, 6));
}

}  // namespace
}  // namespace heddle
