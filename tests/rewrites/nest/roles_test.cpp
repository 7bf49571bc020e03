// Rewrites that change the role of a loop, its extent, or a parameter.
#include "ir/nest/printer.h"
#include "rewrites/nest/fix.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"
#include "rewrites/nest/unroll.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kBlock{"block", 100}, kThread{"thread", 101};

Kernel tiled_filter(Names& s) {
  return rewritten(stripmine(filter_kernel(), s.i, v(s.tile), "block", "thread", s.fresh));
}

TEST(Predicate, TestsWhatTheMinimumEnded) {
  Names s;
  Kernel before = tiled_filter(s), after = rewritten(predicate(before, kThread));
  EXPECT_GOLDEN("rewrites/nest/predicate/filter.nest", to_text(after));
  for (int64_t n : awkward_sizes(3)) expect_same(before, after, {{s.n, n}, {s.m, 2}, {s.tile, 3}, {s.points, 1}});
}

TEST(Predicate, Refuses) {
  Names s;
  EXPECT_EQ(refusal(predicate(filter_kernel(), s.i)), "the extent of i_10 is no minimum");
  Kernel k = vector_kernel("for i_10 in min(n_1, n_1 + 1) (serial) { out_7[i_10] := 0.0f32; }");
  EXPECT_EQ(refusal(predicate(k, s.i)), "neither side of the minimum min(n_1, n_1 + 1) is constant");
}

TEST(Parallelize, GridAndThreads) {
  Names s;
  Kernel before = filter_kernel(), tiled = rewritten(predicate(tiled_filter(s), kThread));
  Result<Rewritten> grid = parallelize(tiled, kBlock, Role::Grid, s.fresh);
  Kernel after = rewritten(parallelize(rewritten(grid), kThread, Role::Block, s.fresh));
  EXPECT_EQ(grid->why_legal, "no iteration of block_100 depends on another: out_7 (=)");
  EXPECT_GOLDEN("rewrites/nest/parallelize/grid_and_threads.nest", to_text(after));
  for (int64_t n : awkward_sizes(4)) expect_same(before, after, {{s.n, n}, {s.m, 3}, {s.tile, 4}, {s.points, 1}});
}

TEST(Parallelize, Refuses) {
  Names s;
  Kernel filter = filter_kernel();
  EXPECT_EQ(refusal(parallelize(filter, s.k, Role::Block, s.fresh)), "i_10, which is around it, is serial");
  EXPECT_EQ(refusal(parallelize(filter, s.i, Role::Serial, s.fresh)), "a serial loop is not parallel");
  auto grid_refused = [&](const std::string& body) {
    return refusal(parallelize(vector_kernel(body), s.i, Role::Grid, s.fresh));
  };
  EXPECT_EQ(grid_refused("for i_10 in n_1 (serial) { both_8[0] := both_8[0] + in_5[i_10]; }"),
            "iterations of i_10 may depend on each other through both_8");
  EXPECT_EQ(grid_refused("for i_10 in n_1 (serial) { both_8[i_10 + 1] := both_8[i_10]; }"),
            "iterations of i_10 may depend on each other through both_8");
  EXPECT_EQ(grid_refused("for i_10 in n_1 (serial) { out_7[i_10] := 0.0f32; } both_8[0] := 0.0f32;"),
            "other statements stand beside i_10 or a loop around it");
  // The last block would have fewer threads than the others.
  Kernel tiled = rewritten(parallelize(tiled_filter(s), kBlock, Role::Grid, s.fresh));
  EXPECT_EQ(refusal(parallelize(tiled, kThread, Role::Block, s.fresh)).substr(0, 68),
            "the extent of a block loop must depend on scalar parameters only, at");
  EXPECT_EQ(refusal(parallelize(tiled, kBlock, Role::Grid, s.fresh)), "block_100 is grid already");
}

TEST(Unroll, NeedsAConstant) {
  Names s;
  Kernel before = vector_kernel("for i_10 in R_4 (serial) { out_7[i_10] := in_5[i_10]; }");
  Kernel after = rewritten(unroll(before, s.i));
  EXPECT_GOLDEN("rewrites/nest/unroll/copy.nest", to_text(after));
  expect_same(before, after, {{s.n, 5}, {s.tile, 1}, {s.points, 3}});
  EXPECT_EQ(refusal(unroll(after, s.i)), "i_10 is unrolled already");
  EXPECT_EQ(refusal(unroll(filter_kernel(), s.k)), "the extent of k_12, m_2, is not constant");
}

TEST(Fix, MakesAScalarAConstant) {
  Names s;
  Kernel before = filter_kernel(), after = rewritten(fix(before, s.m));
  ASSERT_EQ(after.scalars.size(), 1u);
  EXPECT_EQ(after.constants.back(), s.m);
  EXPECT_EQ(refusal(unroll(after, s.k)), "done");
  expect_same(before, after, {{s.n, 5}, {s.m, 3}, {s.tile, 1}, {s.points, 1}});
  EXPECT_EQ(refusal(fix(before, s.tile)), "T_3 is no scalar parameter");
  before.scalars.push_back({Name{"factor", 50}, prim::Type::F32});
  EXPECT_EQ(refusal(fix(before, Name{"factor", 50})), "factor_50 is no i64");
}

}  // namespace
}  // namespace heddle::nest
