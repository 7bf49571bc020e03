#include "rewrites/nest/stripmine.h"

#include "ir/nest/printer.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const std::string kCopy = R"(
  for i_10 in n_1 (serial) { out_7[i_10] := in_5[i_10]; }
)";

TEST(Stripmine, LastTileEndsWhereTheLoopDoes) {
  Names s;
  Kernel before = vector_kernel(kCopy);
  Result<Rewritten> result = stripmine(before, s.i, v(s.tile), "i_block", "i_in", s.fresh);
  Kernel after = rewritten(result);
  EXPECT_GOLDEN("rewrites/nest/stripmine/last_tile.nest", to_text(after));
  ASSERT_EQ(result->loops.size(), 2u);
  EXPECT_EQ(result->loops[1].text(), "i_in_101");
  for (int64_t tile : {1, 2, 3, 5}) {
    for (int64_t n : awkward_sizes(tile)) expect_same(before, after, {{s.n, n}, {s.tile, tile}, {s.points, 1}});
  }
}

TEST(Stripmine, TilesThatDivideNeedNoEnd) {
  Names s;
  Kernel exact = matrix_kernel("for i_10 in T_3 * R_4 (serial) { out_7[i_10][0] := 1.0f32; }");
  Kernel after = rewritten(stripmine(exact, s.i, v(s.points), "thread", "point", s.fresh));
  EXPECT_GOLDEN("rewrites/nest/stripmine/divides.nest", to_text(after));
  expect_same(exact, after, {{s.n, 6}, {s.m, 1}, {s.tile, 2}, {s.points, 3}});
}

TEST(Stripmine, PassesNoIllFormedKernelOn) {
  Names s;
  Kernel k = vector_kernel("for j_11 in T_3 * R_4 (serial) { out_7[j_11] := 1.0f32; }");
  k.body = substitute({{s.j, v(s.i)}}, k.body);
  EXPECT_EQ(refusal(stripmine(k, s.j, v(s.points), "thread", "point", s.fresh)),
            "no variable i_10 is in scope, at `out_7[i_10] := 1.0f32;`");
}

TEST(Stripmine, Refuses) {
  Names s;
  Kernel k = vector_kernel(kCopy);
  EXPECT_EQ(refusal(stripmine(k, s.i, v(s.n), "a", "b", s.fresh)), "a tile of n_1 may be empty");
  EXPECT_EQ(refusal(stripmine(k, s.i, i64(0), "a", "b", s.fresh)), "a tile of 0 may be empty");
  EXPECT_EQ(refusal(stripmine(k, s.j, i64(4), "a", "b", s.fresh)), "there is no loop j_11");
  k = vector_kernel("for i_10 in n_1 (grid) { out_7[i_10] := in_5[i_10]; }");
  EXPECT_EQ(refusal(stripmine(k, s.i, i64(4), "a", "b", s.fresh)),
            "i_10 is grid; only a serial loop can be cut into tiles");
}

}  // namespace
}  // namespace heddle::nest
