// Which tiles groups get, and which get none.
#include "rewrites/stencil/fit_tile.h"

#include <gtest/gtest.h>

namespace heddle::stencil {
namespace {

constexpr int64_t kSize = 2048;

Stage of(const std::string& name, const std::vector<int64_t>& extents, int64_t alu_ops = 4) {
  Stage s;
  s.name = name;
  for (int64_t e : extents) s.domain.push_back({0, e - 1});
  s.alu_ops = alu_ops;
  return s;
}

// The tile of two stages, of which the second reads the first's result in these windows.
std::optional<FittedTile> fitted(const Stage& first, Stage second, const std::vector<Window>& windows,
                                 const FitModel& model = {}) {
  second.live_out = true;
  second.reads = {{{Source::Kind::Stage, 0}, windows}};
  Result<Pipeline> p = Pipeline::of({}, {first, second});
  return fit_tile(*p, group_of({0, 1}), model);
}
std::optional<Tile> tile(const Stage& first, const Stage& second, const std::vector<Window>& windows) {
  auto found = fitted(first, second, windows);
  return found ? std::optional(found->tile) : std::nullopt;
}

TEST(FitTile, WideDimensionsShareATile) {
  Stage image = of("image", {kSize, kSize});
  EXPECT_EQ(tile(image, image, {{0, -1, 1}, {1, -1, 1}}), (Tile{32, 64}));
  EXPECT_EQ(tile(of("line", {kSize}), of("line", {kSize}), {{0, -2, 2}}), Tile{1024});
}

TEST(FitTile, NarrowDimensionsAreInItWhole) {
  Stage colours = of("colours", {kSize, kSize, 3});
  auto found = tile(colours, colours, {{0, -1, 1}, {1, -1, 1}, {2, 0, 0}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->back(), 3);
  EXPECT_GE((*found)[1], 32);
}

// Or several values of a point, as a histogram of each.
TEST(FitTile, SoAreSeveralValuesOfAPoint) {
  Stage cells = of("cells", {kSize, kSize, 12});
  auto found = tile(cells, cells, {{0, -1, 1}, {1, 0, 0}, {2, -1, 1}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->back(), 12);
}

// Of small matrices, or tuples, a tile has as many as give its threads some points each, so that there are tiles enough.
TEST(FitTile, ALineOfManyValuesIsShort) {
  Stage matrices = of("matrices", {kSize, 8, 16}), vectors = of("vectors", {kSize, 8}), pairs = of("pairs", {kSize, 2});
  EXPECT_EQ(tile(vectors, matrices, {{0, 0, 0}, {1, 0, 0}}), (Tile{32, 8, 16}));
  EXPECT_EQ(tile(vectors, vectors, {{0, -1, 1}, {1, 0, 0}}), (Tile{512, 8}));
  EXPECT_EQ(tile(pairs, pairs, {{0, -1, 1}, {1, 0, 0}}), (Tile{1024, 2}));
  Stage fives = of("fives", {kSize, 5}), sixes = of("sixes", {kSize, 6});
  EXPECT_EQ(tile(sixes, sixes, {{0, -300, 300}, {1, 0, 0}}), (Tile{1024, 6}));  // else too much is computed again
  EXPECT_EQ(tile(fives, fives, {{0, -1, 1}, {1, 0, 0}}), (Tile{512, 5}));
}

// A level of a pyramid of which most of a device would have nothing to do.
TEST(FitTile, SmallImagesHaveSmallTiles) {
  Stage level = of("level", {512, 512}), top = of("top", {64, 64});
  EXPECT_EQ(tile(level, level, {{0, -1, 1}, {1, -1, 1}}), (Tile{16, 64}));
  EXPECT_EQ(tile(top, top, {{0, -1, 1}, {1, -1, 1}}), (Tile{8, 32}));
}

// One plane that each of three colours reads: it is computed once for all where they share a tile.
TEST(FitTile, PlanesOfColoursShareATileWhereTheyReadTheSame) {
  Stage grey = of("grey", {kSize, kSize}), planes = of("planes", {3, kSize, kSize});
  EXPECT_EQ(tile(grey, planes, {{1, -1, 1}, {2, -1, 1}}), (Tile{3, 32, 64}));
  EXPECT_EQ(tile(planes, planes, {{0, 0, 0}, {1, -1, 1}, {2, -1, 1}}), (Tile{1, 32, 64}));
}

// What nobody needs of a stage does not hide how often the rest is computed: here for each of three planes.
TEST(FitTile, OnlyWhatIsNeededCounts) {
  Stage level = of("level", {4, 4 * kSize, 4 * kSize}), planes = of("planes", {3, kSize, kSize});
  EXPECT_EQ(tile(level, planes, {{{}, 0, 3}, {1, 0, 0}, {2, 0, 0}}), (Tile{3, 16, 64}));
}

// A smaller tile of which more blocks have room at a time; but not where it computes much more again.
TEST(FitTile, LeavesRoomForOtherBlocks) {
  Stage image = of("image", {kSize, kSize}), wide = image;
  image.element_bytes = {4, 4, 4, 4};
  EXPECT_EQ(tile(image, wide, {{0, -1, 1}, {1, -1, 1}}), (Tile{16, 64}));
  EXPECT_EQ(tile(image, wide, {{0, -4, 4}, {1, 0, 0}}), (Tile{32, 64}));
}

// A value for each row, which every tile of the row would compute again.
TEST(FitTile, DearStagesAreNotComputedForEachTile) {
  Stage image = of("image", {kSize, kSize}, 1);
  EXPECT_TRUE(tile(of("row", {kSize}, 4), image, {{0, 0, 0}}));
  EXPECT_FALSE(tile(of("row", {kSize}, 1000), image, {{0, 0, 0}}));
}

// 18 rows of 66 floats are 4752 bytes, of which eight have room; of four results fewer.
TEST(FitTile, AWarpHasATileThatHasRoomForItAndTheBlocksOthers) {
  FitModel model;
  model.scope = TileScope::Warp;
  Stage image = of("image", {kSize, kSize}), several = of("several", {kSize, kSize});
  several.element_bytes = {4, 4, 4};
  const std::vector<Window> windows = {{0, -1, 1}, {1, -1, 1}};
  auto one = fitted(image, image, windows, model), more = fitted(several, image, windows, model);
  ASSERT_TRUE(one && more);
  EXPECT_EQ(one->scope, TileScope::Warp);
  EXPECT_EQ(one->tile, (Tile{16, 64}));
  EXPECT_EQ(one->tiles_of_block, 8);
  EXPECT_EQ(more->scope, TileScope::Warp);
  EXPECT_LT(more->tiles_of_block * more->tile[0] * more->tile[1], 8 * 16 * 64);
}

// Else all of the block has one.
TEST(FitTile, ABlockHasATileWhereWarpsHaveNoRoom) {
  FitModel model;
  model.scope = TileScope::Warp;
  model.most_scratch = 12 * 1024;
  Stage image = of("image", {kSize, kSize});
  auto found = fitted(image, image, {{0, -4, 4}, {1, -4, 4}}, model);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scope, TileScope::Block);
  EXPECT_EQ(found->tiles_of_block, 1);
}

}  // namespace
}  // namespace heddle::stencil
