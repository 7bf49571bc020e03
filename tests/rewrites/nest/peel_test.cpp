// Full tiles apart from the rest.
#include "rewrites/nest/peel.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Kernel doubled() { return vector_kernel("for i_10 in n_1 (serial) { out_7[i_10] := in_5[i_10] + 1.0f32; }"); }

void expect_same_for_all_sizes(const Names& s, const Kernel& before, const Kernel& after) {
  for (int64_t tile : {1, 3, 4}) {
    for (int64_t n : awkward_sizes(tile)) expect_same(before, after, {{s.n, n}, {s.tile, tile}, {s.points, 1}});
  }
}

TEST(Peel, FullTilesEndWhereTheTileDoes) {
  Names s;
  Kernel before = doubled();
  Result<Rewritten> tiles = stripmine(before, s.i, v(s.tile), "tile", "in_tile", s.fresh);
  Kernel after = rewritten(peel(tiles->kernel, tiles->loops[0], s.fresh));
  EXPECT_GOLDEN("rewrites/nest/peel/minimum.nest", to_text(after));
  expect_same_for_all_sizes(s, before, after);
}

TEST(Peel, FullTilesNeedNoTest) {
  Names s;
  Kernel before = doubled();
  Result<Rewritten> tiles = stripmine(before, s.i, v(s.tile), "tile", "in_tile", s.fresh);
  Kernel tested = rewritten(predicate(tiles->kernel, tiles->loops[1]));
  Kernel after = rewritten(peel(tested, tiles->loops[0], s.fresh));
  EXPECT_GOLDEN("rewrites/nest/peel/test.nest", to_text(after));
  expect_same_for_all_sizes(s, before, after);
}

TEST(Peel, Refuses) {
  Names s;
  Kernel before = doubled();
  EXPECT_EQ(refusal(peel(before, s.i, s.fresh)), "the extent of i_10, n_1, is no number of tiles");
  Result<Rewritten> tiles = stripmine(before, s.i, v(s.tile), "tile", "in_tile", s.fresh);
  const Kernel& k = tiles->kernel;
  EXPECT_EQ(refusal(peel(rewritten(peel(k, tiles->loops[0], s.fresh)), tiles->loops[0], s.fresh)),
            "the extent of tile_100, n_1 / T_3, is no number of tiles");
  auto refused = [&](const std::string& body) { return refusal(peel(vector_kernel(body), s.j, s.fresh)); };
  EXPECT_EQ(refused("for j_11 in ceil(n_1 / T_3) (serial) { both_8[j_11] := 0.0f32; }"),
            "full tiles of j_11 are as the others");
  EXPECT_EQ(refused("for j_11 in ceil(n_1 / T_3) (grid) { both_8[j_11] := 0.0f32; }"), "j_11 is grid");
  Kernel some = kernel_of(R"(kernel small(T_3: constant, some_60: i64, out_7: global f32[1]) {
  for j_11 in ceil(some_60 / T_3) (serial) { out_7[0] := 0.0f32; }
})");
  EXPECT_EQ(refusal(peel(some, s.j, s.fresh)), "some_60 may be negative");
}

}  // namespace
}  // namespace heddle::nest
