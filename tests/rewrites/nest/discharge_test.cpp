#include "rewrites/nest/discharge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/verify.h"
#include "rewrites/nest/unused.h"
#include "tests/codegen/random_nest.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Family;
using prim::Op;
using prim::Type;

const Name kN{"n", 1}, kM{"m", 2}, kI{"i", 3}, kJ{"j", 4}, kX{"x", 5}, kOk{"ok", 6}, kIn{"in", 7}, kOut{"out", 8},
    kR{"r", 9}, kT{"t", 10};

Expr le(Expr a, Expr b) { return operation(Op(Family::Sle, Type::I64), {std::move(a), std::move(b)}); }
Expr inside(const Expr& i, const Expr& n) { return both(le(i64(0), i), less(i, n)); }
Expr flag(const Name& n) { return var(n, Type::Bool); }
Stmt check(Expr condition, int id, std::vector<Expr> args = {}) {
  return when(negate(std::move(condition)), {stmt(Fail{id, std::move(args)})});
}

class Discharge : public ::testing::Test {
 protected:
  Discharge() {
    facts_.size(kN);
    facts_.size(kM);
    facts_.index(kI, v(kN));
  }
  std::string discharged(const Block& block) { return to_text(discharge(block, facts_)); }

  seg::NameSource names_{100};
  Facts facts_{names_, no_definition};
};

TEST_F(Discharge, ChecksOfIndicesGo) {
  Block block = {let(kX, sub(v(kI), i64(1))), let(kOk, inside(v(kI), v(kN))), check(flag(kOk), 0, {v(kI)}),
                 check(inside(v(kX), v(kN)), 1, {v(kX)}), store(kOut, {v(kI)}, at(kIn, {v(kX)}))};
  EXPECT_EQ(discharged(block), to_text(Block{let(kX, sub(v(kI), i64(1))), check(le(i64(0), v(kX)), 1, {v(kX)}),
                                             store(kOut, {v(kI)}, at(kIn, {v(kX)}))}));
}

TEST_F(Discharge, ACheckMakesLaterOnesRedundant) {
  Expr index = load(kIn, Type::I64, {v(kI)});
  Block block = {let(kX, index), check(inside(v(kX), v(kN)), 0, {v(kX)}), check(less(v(kX), v(kN)), 1),
                 store(kOut, {v(kX)}, f32(1))};
  Block want = {let(kX, index), check(inside(v(kX), v(kN)), 0, {v(kX)}), store(kOut, {v(kX)}, f32(1))};
  EXPECT_EQ(discharged(block), to_text(want));
}

TEST_F(Discharge, NothingFollowsFromChecksInBranchesThatAreOver) {
  Expr index = load(kIn, Type::I64, {v(kI)});
  Block block = {let(kX, index), let(kOk, load(kR, Type::Bool, {})),
                 when(flag(kOk), {check(less(v(kX), v(kN)), 0), store(kOut, {i64(0)}, f32(1))}),
                 check(less(v(kX), v(kN)), 1)};
  EXPECT_EQ(discharged(block), to_text(block));
}

TEST_F(Discharge, WhatAlwaysFailsStillFails) {
  Block block = {store(kOut, {v(kI)}, f32(1)), check(less(v(kN), v(kI)), 3, {v(kI)}), store(kOut, {v(kI)}, f32(2))};
  EXPECT_EQ(discharged(block), to_text(Block{store(kOut, {v(kI)}, f32(1)), stmt(Fail{3, {v(kI)}})}));
}

TEST_F(Discharge, LoopsWithoutIterationsDoNotFail) {
  // The check can only be reached where j < m, so m > 0 may be used in it, but not after the loop.
  Block block = {loop(Role::Serial, kJ, v(kM), {check(less(i64(0), v(kM)), 0), store(kOut, {v(kJ)}, f32(1))}),
                 check(less(i64(0), v(kM)), 1)};
  Block want = {loop(Role::Serial, kJ, v(kM), {store(kOut, {v(kJ)}, f32(1))}), check(less(i64(0), v(kM)), 1)};
  EXPECT_EQ(discharged(block), to_text(want));
}

TEST_F(Discharge, MemoryThatChangesIsNotRemembered) {
  Expr r = load(kR, Type::I64, {});
  Block block = {check(less(r, v(kN)), 0), store(kR, {}, v(kM)), check(less(r, v(kN)), 1)};
  EXPECT_EQ(discharged(block), to_text(block));
}

TEST_F(Discharge, ClampsThatDoNothingGo) {
  auto max = [](Expr a, Expr b) { return operation(Op(Family::SMax, Type::I64), {std::move(a), std::move(b)}); };
  Expr clamped = max(i64(0), min(v(kI), sub(v(kN), i64(1))));
  EXPECT_EQ(discharged({store(kOut, {clamped}, f32(1))}), to_text(Block{store(kOut, {v(kI)}, f32(1))}));
  Expr needed = max(i64(0), sub(v(kI), i64(1)));
  EXPECT_EQ(discharged({store(kOut, {needed}, f32(1))}), to_text(Block{store(kOut, {needed}, f32(1))}));
}

TEST_F(Discharge, NarrowIndicesAreWidened) {
  auto convert = [](Type from, Type to, Expr e) { return operation(Op(Family::SExt, from, to), {std::move(e)}); };
  Expr narrow = convert(Type::I64, Type::I32, v(kI));
  Block block = {let(kX, narrow), store(kOut, {convert(Type::I32, Type::I64, var(kX, Type::I32))}, f32(1))};
  EXPECT_EQ(discharged(block), to_text(block));  // n may be large.
  facts_.assume(less(v(kN), i64(1000)));
  EXPECT_EQ(discharged(block), to_text(Block{store(kOut, {v(kI)}, f32(1))}));
}

TEST_F(Discharge, GuardsDecideWhatStandsBehindThem) {
  Expr before = sub(v(kI), i64(1));
  Expr guarded = select(less(i64(0), v(kI)), select(le(i64(0), before), at(kIn, {before}), f32(7)), f32(0));
  Expr want = select(less(i64(0), v(kI)), at(kIn, {before}), f32(0));
  EXPECT_EQ(discharged({store(kOut, {v(kI)}, guarded)}), to_text(Block{store(kOut, {v(kI)}, want)}));
}

TEST_F(Discharge, ConjunctionsLoseTheirDecidedParts) {
  Expr x = load(kIn, Type::I64, {v(kI)});
  Block block = {let(kX, x), let(kOk, both(inside(v(kX), v(kN)), inside(v(kI), v(kN)))), check(flag(kOk), 0),
                 store(kOut, {v(kX)}, f32(1))};
  Block want = {let(kX, x), let(kOk, inside(v(kX), v(kN))), check(flag(kOk), 0), store(kOut, {v(kX)}, f32(1))};
  EXPECT_EQ(discharged(block), to_text(want));
}

TEST(WithoutUnused, ChainsOfUnusedValuesGo) {
  Block block = {let(kX, at(kIn, {i64(0)})),
                 stmt(Alloc{buffer(kR, Type::F32, Space::Register, {})}),
                 store(kR, {}, var(kX, Type::F32)),
                 let(kT, at(kR, {})),
                 loop(Role::Serial, kJ, v(kN), {store(kR, {}, f32(0))}),
                 store(kOut, {i64(0)}, f32(1))};
  EXPECT_EQ(to_text(without_unused(block)), to_text(Block{store(kOut, {i64(0)}, f32(1))}));
}

TEST(WithoutUnused, WhatIsReadStays) {
  Block block = {stmt(Alloc{buffer(kR, Type::F32, Space::Register, {})}), store(kR, {}, f32(0)),
                 loop(Role::Serial, kJ, v(kN), {let(kT, at(kR, {})), store(kR, {}, fadd(var(kT, Type::F32), f32(1)))}),
                 store(kOut, {i64(0)}, at(kR, {}))};
  EXPECT_EQ(to_text(without_unused(block)), to_text(block));
}

RC_GTEST_PROP(DischargeProperties, KernelsComputeWhatTheyDidBefore, ()) {
  codegen::RandomCase c = codegen::random_case();
  seg::NameSource names(1000000);
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
