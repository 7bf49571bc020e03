// How hybrid tiles are cut, and which groups can have them.
#include "rewrites/stencil/hybrid.h"

#include <gtest/gtest.h>

#include "rewrites/stencil/fit_tile.h"
#include "tests/rewrites/stencil/images.h"

namespace heddle::stencil {
namespace {

Result<Hybrid> cut(std::vector<Stage> stages, const Tile& tile, const HybridModel& model = {}) {
  stages.back().live_out = true;
  Result<Pipeline> p = Pipeline::of({}, std::move(stages));
  if (!p) return p.error();
  Result<Halos> halos = tight_halos(*p, whole(*p));
  if (!halos) return halos.error();
  return fit_hybrid(*p, *halos, tile, model);
}

std::vector<Stage> blur(const Window& columns = {1, -1, 1}) {
  return {image("a", {}), image("b", {window(0, {0, -1, 1}, columns)})};
}

TEST(Hybrid, CutsATileInTurns) {
  auto half = cut(blur(), {8, 128});
  ASSERT_TRUE(half) << half.error().message;
  EXPECT_EQ(half->turns, 2);
  EXPECT_EQ(half->shared_columns, 64);
  EXPECT_EQ(half->border_columns, 64);
  EXPECT_EQ(half->registers, 2 * 10);
  EXPECT_EQ(in_shared({8, 128}, *half), (Tile{8, 64}));
  auto quarter = cut(blur(), {8, 128}, {.in_registers = 0.25});
  ASSERT_TRUE(quarter);
  EXPECT_EQ(quarter->turns, 1);
  EXPECT_EQ(quarter->shared_columns, 96);
  EXPECT_EQ(quarter->border_columns, 32);
  // All that is computed again, and room for borders, stay in shared memory.
  auto all = cut(blur(), {8, 128}, {.in_registers = 1});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->turns, 4);
  EXPECT_EQ(all->shared_columns, 0);
  EXPECT_EQ(in_shared({8, 128}, *all), (Tile{8, 8}));
  // As little as there is, where it is more than none.
  EXPECT_EQ(cut(blur(), {8, 128}, {.in_registers = 0.01})->turns, 1);
  EXPECT_EQ(cut(blur(), {8, 128}, {.in_registers = 0})->turns, 0);
}

TEST(Hybrid, SaysWhyNot) {
  EXPECT_EQ(cut(blur({1, -16, 16}), {8, 64}).error().message, "b reads a 32 columns apart, of at most 31");
  EXPECT_TRUE(cut(blur({1, -16, 15}), {8, 64}));
  EXPECT_TRUE(cut(blur({1, 3, 34}), {8, 64}));
  EXPECT_EQ(cut(blur(), {8, 128}, {.in_registers = 1, .most_registers = 39}).error().message,
            "a lane would keep 40 registers, of at most 39");
  EXPECT_EQ(cut({image("a", {}, 100), blur()[1]}, {8, 128}, {.most_operations = 2000}).error().message,
            "a lane's turns have 2064 operations, of at most 2000");
  Stage coarse = image("b", {window(0, {0, 0, 1, 2}, {1, 0, 1, 2})});
  coarse.domain = {{0, kSize / 2 - 1}, {0, kSize / 2 - 1}};
  EXPECT_EQ(cut({image("a", {}), coarse}, {8, 64}).error().message, "a is sampled at another rate");
  EXPECT_EQ(cut({image("a", {}), image("b", {window(0, {1, 0, 0}, {0, 0, 0})})}, {8, 64}).error().message,
            "a has rows and columns of another kind");
}

// Groups that cannot have hybrid tiles have warps' own, and tell why.
TEST(Hybrid, StandsBesideTilesOfWarps) {
  FitModel model;
  model.scope = TileScope::Hybrid;
  auto fitted = [&](Stage last) {
    last.live_out = true;
    Result<Pipeline> p = Pipeline::of({}, {image("a", {}), last});
    return fit_tile(*p, whole(*p), model);
  };
  Stage coarse = image("b", {window(0, {0, 0, 1, 2}, {1, 0, 1, 2})});
  coarse.domain = {{0, kSize / 2 - 1}, {0, kSize / 2 - 1}};
  const auto tiles = fitted(coarse), hybrid = fitted(blur()[1]);
  ASSERT_TRUE(tiles && hybrid);
  EXPECT_FALSE(tiles->hybrid);
  EXPECT_EQ(tiles->scope, TileScope::Warp);
  EXPECT_EQ(tiles->why_not_as_asked, "none in registers, since a is sampled at another rate");
  EXPECT_TRUE(hybrid->hybrid);
  EXPECT_EQ(hybrid->scope, TileScope::Hybrid);
  EXPECT_EQ(hybrid->why_not_as_asked, "");
}

}  // namespace
}  // namespace heddle::stencil
