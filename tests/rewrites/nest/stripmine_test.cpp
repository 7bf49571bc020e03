#include "rewrites/nest/stripmine.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Kernel copying(const Names& s) { return vector_kernel(s, {store(s.out, {v(s.i)}, at(s.in, {v(s.i)}))}); }

TEST(Stripmine, LastTileEndsWhereTheLoopDoes) {
  Names s;
  Kernel before = copying(s);
  Result<Rewritten> result = stripmine(before, s.i, v(s.tile), "i_block", "i_in", s.fresh);
  Kernel after = rewritten(result);
  EXPECT_EQ(to_text(after.body), R"(for i_block_100 in ceil(n_1 / T_3) (serial) {
  for i_in_101 in min(T_3, n_1 - i_block_100 * T_3) (serial) {
    let i_10: i64 = i_block_100 * T_3 + i_in_101;
    out_7[i_10] := in_5[i_10];
  }
}
)");
  ASSERT_EQ(result->loops.size(), 2u);
  EXPECT_EQ(result->loops[1].text(), "i_in_101");
  for (int64_t tile : {1, 2, 3, 5}) {
    for (int64_t n : awkward_sizes(tile)) expect_same(before, after, {{s.n, n}, {s.tile, tile}, {s.points, 1}});
  }
}

TEST(Stripmine, TilesThatDivideNeedNoEnd) {
  Names s;
  Kernel before = copying(s);
  before = rewritten(stripmine(before, s.i, mul(v(s.tile), v(s.points)), "i_block", "i_in", s.fresh));
  // Tiles of tiles of 6 elements.
  Name in_block{"i_in", 101};
  Kernel cut = with_loop_replaced(before, in_block, [&](const For& f) -> Block {
    return {loop(Role::Serial, in_block, mul(v(s.tile), v(s.points)), {when(less(v(s.i), v(s.n)), f.body)})};
  });
  EXPECT_EQ(refusal(stripmine(cut, in_block, v(s.points), "thread", "point", s.fresh)),
            "no variable i_10 is in scope, at `if i_10 < n_1 {`")
      << "an ill-formed kernel is not passed on";
  Kernel exact = matrix_kernel(s, {});
  exact.body = {loop(Role::Serial, s.i, mul(v(s.tile), v(s.points)), {store(s.out, {v(s.i), i64(0)}, f32(1))})};
  Kernel after = rewritten(stripmine(exact, s.i, v(s.points), "thread", "point", s.fresh));
  EXPECT_NE(to_text(after.body).find("for thread_104 in T_3 (serial) {\n  for point_105 in R_4 (serial) {"),
            std::string::npos)
      << to_text(after.body);
  expect_same(exact, after, {{s.n, 6}, {s.m, 1}, {s.tile, 2}, {s.points, 3}});
}

TEST(Stripmine, Refuses) {
  Names s;
  Kernel k = copying(s);
  EXPECT_EQ(refusal(stripmine(k, s.i, v(s.n), "a", "b", s.fresh)), "a tile of n_1 may be empty");
  EXPECT_EQ(refusal(stripmine(k, s.i, i64(0), "a", "b", s.fresh)), "a tile of 0 may be empty");
  EXPECT_EQ(refusal(stripmine(k, s.j, i64(4), "a", "b", s.fresh)), "there is no loop j_11");
  k.body = {loop(Role::Grid, s.i, v(s.n), {store(s.out, {v(s.i)}, at(s.in, {v(s.i)}))})};
  EXPECT_EQ(refusal(stripmine(k, s.i, i64(4), "a", "b", s.fresh)),
            "i_10 is grid; only a serial loop can be cut into tiles");
}

}  // namespace
}  // namespace heddle::nest
