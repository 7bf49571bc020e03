// Rewrites that change the role of a loop, its extent, or a parameter.
#include "ir/nest/printer.h"
#include "rewrites/nest/fix.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"
#include "rewrites/nest/unroll.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kBlock{"block", 100}, kThread{"thread", 101};

Kernel tiled_filter(Names& s) {
  return rewritten(stripmine(filter_kernel(s), s.i, v(s.tile), "block", "thread", s.fresh));
}

TEST(Predicate, TestsWhatTheMinimumEnded) {
  Names s;
  Kernel before = tiled_filter(s), after = rewritten(predicate(before, kThread));
  EXPECT_NE(to_text(after.body).find(R"(
  for thread_101 in T_3 (serial) {
    let i_10: i64 = block_100 * T_3 + thread_101;
    if i_10 < n_1 {
      alloc acc_14)"),
            std::string::npos)
      << to_text(after.body);
  for (int64_t n : awkward_sizes(3)) expect_same(before, after, {{s.n, n}, {s.m, 2}, {s.tile, 3}, {s.points, 1}});
}

TEST(Predicate, Refuses) {
  Names s;
  EXPECT_EQ(refusal(predicate(filter_kernel(s), s.i)), "the extent of i_10 is no minimum");
  Kernel k = vector_kernel(s, {});
  k.body = {loop(Role::Serial, s.i, min(v(s.n), add(v(s.n), i64(1))), {store(s.out, {v(s.i)}, f32(0))})};
  EXPECT_EQ(refusal(predicate(k, s.i)), "neither side of the minimum min(n_1, n_1 + 1) is constant");
}

TEST(Parallelize, GridAndThreads) {
  Names s;
  Kernel before = filter_kernel(s), tiled = rewritten(predicate(tiled_filter(s), kThread));
  Result<Rewritten> grid = parallelize(tiled, kBlock, Role::Grid, s.fresh);
  Kernel after = rewritten(parallelize(rewritten(grid), kThread, Role::Block, s.fresh));
  EXPECT_EQ(grid->why_legal, "no iteration of block_100 depends on another: out_7 (=)");
  EXPECT_NE(to_text(after.body).find("for block_100 in ceil(n_1 / T_3) (grid) {\n  for thread_101 in T_3 (block) {"),
            std::string::npos)
      << to_text(after.body);
  for (int64_t n : awkward_sizes(4)) expect_same(before, after, {{s.n, n}, {s.m, 3}, {s.tile, 4}, {s.points, 1}});
}

TEST(Parallelize, Refuses) {
  Names s;
  Kernel filter = filter_kernel(s);
  EXPECT_EQ(refusal(parallelize(filter, s.k, Role::Block, s.fresh)), "i_10, which is around it, is serial");
  EXPECT_EQ(refusal(parallelize(filter, s.i, Role::Serial, s.fresh)), "a serial loop is not parallel");
  Kernel sum = vector_kernel(s, {store(s.both, {i64(0)}, fadd(at(s.both, {i64(0)}), at(s.in, {v(s.i)})))});
  EXPECT_EQ(refusal(parallelize(sum, s.i, Role::Grid, s.fresh)),
            "iterations of i_10 may depend on each other through both_8");
  Kernel shifted = vector_kernel(s, {store(s.both, {add(v(s.i), i64(1))}, at(s.both, {v(s.i)}))});
  EXPECT_EQ(refusal(parallelize(shifted, s.i, Role::Grid, s.fresh)),
            "iterations of i_10 may depend on each other through both_8");
  Kernel beside = vector_kernel(s, {store(s.out, {v(s.i)}, f32(0))});
  beside.body.push_back(store(s.both, {i64(0)}, f32(0)));
  EXPECT_EQ(refusal(parallelize(beside, s.i, Role::Grid, s.fresh)),
            "other statements stand beside i_10 or a loop around it");
  // The last block would have fewer threads than the others.
  Kernel tiled = rewritten(parallelize(tiled_filter(s), kBlock, Role::Grid, s.fresh));
  EXPECT_EQ(refusal(parallelize(tiled, kThread, Role::Block, s.fresh)).substr(0, 68),
            "the extent of a block loop must depend on scalar parameters only, at");
  EXPECT_EQ(refusal(parallelize(tiled, kBlock, Role::Grid, s.fresh)), "block_100 is grid already");
}

TEST(Unroll, NeedsAConstant) {
  Names s;
  Kernel before = vector_kernel(s, {});
  before.body = {loop(Role::Serial, s.i, v(s.points), {store(s.out, {v(s.i)}, at(s.in, {v(s.i)}))})};
  Kernel after = rewritten(unroll(before, s.i));
  EXPECT_EQ(to_text(after.body), "for i_10 in R_4 (unrolled) {\n  out_7[i_10] := in_5[i_10];\n}\n");
  expect_same(before, after, {{s.n, 5}, {s.tile, 1}, {s.points, 3}});
  EXPECT_EQ(refusal(unroll(after, s.i)), "i_10 is unrolled already");
  EXPECT_EQ(refusal(unroll(filter_kernel(s), s.k)), "the extent of k_12, m_2, is not constant");
}

TEST(Fix, MakesAScalarAConstant) {
  Names s;
  Kernel before = filter_kernel(s), after = rewritten(fix(before, s.m));
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
