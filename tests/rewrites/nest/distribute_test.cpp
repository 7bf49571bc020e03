#include "rewrites/nest/distribute.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kPoint{"point", 101};

// A filter whose points are cut into tiles of R, with tests.
Kernel tiled_filter(Names& s) {
  Kernel k = rewritten(stripmine(filter_kernel(s), s.i, v(s.points), "tile", "point", s.fresh));
  return rewritten(predicate(k, kPoint));
}

TEST(Distribute, ExpandsWhatStatementsLeaveToEachOther) {
  Names s;
  Kernel before = filter_kernel(s);
  Result<Rewritten> result = distribute(tiled_filter(s), kPoint, s.fresh);
  Kernel after = rewritten(result);
  EXPECT_EQ(to_text(after.body), R"(for tile_100 in ceil(n_1 / R_4) (serial) {
  alloc acc_14: register f32[R_4];
  for point_101 in R_4 (serial) {
    let i_10: i64 = tile_100 * R_4 + point_101;
    if i_10 < n_1 {
      acc_14[point_101] := 0.0f32;
    }
  }
  for point_103 in R_4 (serial) {
    let i_102: i64 = tile_100 * R_4 + point_103;
    if i_102 < n_1 {
      for k_12 in m_2 (serial) {
        acc_14[point_103] := acc_14[point_103] + in_5[i_102 + k_12] * weights_6[k_12];
      }
    }
  }
  for point_105 in R_4 (serial) {
    let i_104: i64 = tile_100 * R_4 + point_105;
    if i_104 < n_1 {
      let sum_15: f32 = acc_14[point_105];
      out_7[i_104] := sum_15;
    }
  }
}
)");
  EXPECT_EQ(result->loops.size(), 3u);
  for (int64_t points : {1, 2, 3}) {
    for (int64_t n : awkward_sizes(points)) {
      for (int64_t m : {0, 1, 3}) expect_same(before, after, {{s.n, n}, {s.m, m}, {s.tile, 1}, {s.points, points}});
    }
  }
}

TEST(Distribute, ExpandsValues) {
  Names s;
  Kernel before = vector_kernel(s, {});
  Name x{"x", 30};
  before.body = {loop(Role::Serial, s.i, v(s.points),
                      {let(x, at(s.in, {v(s.i)})), store(s.both, {v(s.i)}, var(x, prim::Type::F32)),
                       store(s.out, {v(s.i)}, fadd(var(x, prim::Type::F32), f32(1)))})};
  Kernel after = rewritten(distribute(before, s.i, s.fresh));
  EXPECT_EQ(to_text(after.body), R"(alloc x_100: register f32[R_4];
for i_10 in R_4 (serial) {
  let x_30: f32 = in_5[i_10];
  x_100[i_10] := x_30;
  both_8[i_10] := x_30;
}
for i_101 in R_4 (serial) {
  out_7[i_101] := x_100[i_101] + 1.0f32;
}
)");
  for (int64_t n : {3, 4, 7}) expect_same(before, after, {{s.n, n}, {s.tile, 1}, {s.points, 3}});
}

// for i in n { both[i + to] := in[i]; out[i] := both[i + from] }, or the statements the other way round
Kernel two_statements(const Names& s, int64_t to, int64_t from, bool store_first) {
  Stmt first = store(s.both, {add(v(s.i), i64(to))}, at(s.in, {v(s.i)}));
  Stmt second = store(s.out, {v(s.i)}, at(s.both, {add(v(s.i), i64(from))}));
  return vector_kernel(s, store_first ? Block{first, second} : Block{second, first});
}

TEST(Distribute, KeepsDependencesForward) {
  Names s;
  // Each element is stored in the iteration before it is read, or in the same one.
  for (const Kernel& before :
       {two_statements(s, 1, 0, true), two_statements(s, 0, 0, true), two_statements(s, 0, 1, false)}) {
    // Nothing is left of `both` in front: it is an input as well.
    Kernel after = rewritten(distribute(before, s.i, s.fresh));
    for (int64_t n : {0, 1, 5}) expect_same(before, after, {{s.n, n}, {s.tile, 1}, {s.points, 1}});
  }
}

TEST(Distribute, RefusesBackwardDependences) {
  Names s;
  std::string reason = "a statement may depend through both_8 on a later one of an earlier iteration of i_10";
  EXPECT_EQ(refusal(distribute(two_statements(s, 1, 0, false), s.i, s.fresh)), reason);
  EXPECT_EQ(refusal(distribute(two_statements(s, 0, 1, true), s.i, s.fresh)), reason);
}

TEST(Distribute, Refuses) {
  Names s;
  EXPECT_EQ(refusal(distribute(filter_kernel(s), s.i, s.fresh)),
            "the extent of i_10 is not constant, so acc_14 cannot be expanded to registers");
  EXPECT_EQ(refusal(distribute(filter_kernel(s), s.k, s.fresh)), "k_12 holds only one statement");
  Kernel grid = vector_kernel(s, {});
  grid.body = {loop(Role::Grid, s.i, v(s.n), {store(s.out, {v(s.i)}, f32(0)), store(s.both, {v(s.i)}, f32(0))})};
  EXPECT_EQ(refusal(distribute(grid, s.i, s.fresh)), "i_10 is grid; only a serial loop can be distributed");
}

}  // namespace
}  // namespace heddle::nest
