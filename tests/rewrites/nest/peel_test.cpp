// Full tiles apart from the rest.
#include "rewrites/nest/peel.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Kernel doubled(const Names& s) { return vector_kernel(s, {store(s.out, {v(s.i)}, fadd(at(s.in, {v(s.i)}), f32(1)))}); }

void expect_same_for_all_sizes(const Names& s, const Kernel& before, const Kernel& after) {
  for (int64_t tile : {1, 3, 4}) {
    for (int64_t n : awkward_sizes(tile)) expect_same(before, after, {{s.n, n}, {s.tile, tile}, {s.points, 1}});
  }
}

TEST(Peel, FullTilesEndWhereTheTileDoes) {
  Names s;
  Kernel before = doubled(s);
  Result<Rewritten> tiles = stripmine(before, s.i, v(s.tile), "tile", "in_tile", s.fresh);
  Kernel after = rewritten(peel(tiles->kernel, tiles->loops[0], s.fresh));
  EXPECT_EQ(to_text(after.body), R"(for tile_100 in n_1 / T_3 (serial) {
  for in_tile_101 in T_3 (serial) {
    let i_10: i64 = tile_100 * T_3 + in_tile_101;
    out_7[i_10] := in_5[i_10] + 1.0f32;
  }
}
if 0 < n_1 % T_3 {
  let tile_rest_103: i64 = n_1 / T_3;
  for in_tile_105 in n_1 % T_3 (serial) {
    let i_104: i64 = tile_rest_103 * T_3 + in_tile_105;
    out_7[i_104] := in_5[i_104] + 1.0f32;
  }
}
)");
  expect_same_for_all_sizes(s, before, after);
}

TEST(Peel, FullTilesNeedNoTest) {
  Names s;
  Kernel before = doubled(s);
  Result<Rewritten> tiles = stripmine(before, s.i, v(s.tile), "tile", "in_tile", s.fresh);
  Kernel tested = rewritten(predicate(tiles->kernel, tiles->loops[1]));
  Kernel after = rewritten(peel(tested, tiles->loops[0], s.fresh));
  std::string text = to_text(after.body);
  EXPECT_EQ(text.find("if i_10 < n_1"), std::string::npos) << text;
  EXPECT_NE(text.find(" < n_1 {\n"), std::string::npos) << text;
  expect_same_for_all_sizes(s, before, after);
}

TEST(Peel, Refuses) {
  Names s;
  Kernel before = doubled(s);
  EXPECT_EQ(refusal(peel(before, s.i, s.fresh)), "the extent of i_10, n_1, is no number of tiles");
  Result<Rewritten> tiles = stripmine(before, s.i, v(s.tile), "tile", "in_tile", s.fresh);
  Kernel k = tiles->kernel;
  EXPECT_EQ(refusal(peel(rewritten(peel(k, tiles->loops[0], s.fresh)), tiles->loops[0], s.fresh)),
            "the extent of tile_100, n_1 / T_3, is no number of tiles");
  // Tiles that are all the same.
  k.body = {loop(Role::Serial, s.j, ceil_div(v(s.n), v(s.tile)), {store(s.both, {v(s.j)}, f32(0))})};
  EXPECT_EQ(refusal(peel(k, s.j, s.fresh)), "full tiles of j_11 are as the others");
  k.body = {loop(Role::Grid, s.j, ceil_div(v(s.n), v(s.tile)), {store(s.both, {v(s.j)}, f32(0))})};
  EXPECT_EQ(refusal(peel(k, s.j, s.fresh)), "j_11 is grid");
  Name some{"some", 60};
  k.scalars.push_back({some, prim::Type::I64});
  k.body = {loop(Role::Serial, s.j, ceil_div(v(some), v(s.tile)), {store(s.both, {i64(0)}, f32(0))})};
  EXPECT_EQ(refusal(peel(k, s.j, s.fresh)), "some_60 may be negative");
}

}  // namespace
}  // namespace heddle::nest
