// Widths, extents and work that the paper names, or that follow from what it says.
#include "rewrites/stencil/halos.h"

#include <gtest/gtest.h>

#include "rewrites/stencil/tiles.h"
#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using examples::around;
using examples::input;
using examples::stage;

Halos tight(const Pipeline& p, const std::vector<TileShape>& shapes = {}) {
  Result<Halos> h = tight_halos(p, whole(p), shapes);
  EXPECT_TRUE(h) << h.error().message;
  return *h;
}

std::string refusal(const Pipeline& p, const std::vector<TileShape>& shapes = {}) {
  Result<Halos> h = tight_halos(p, whole(p), shapes);
  return h ? "none" : h.error().message;
}

using Widths = std::vector<int64_t>;  // left, right, shift

Widths widths(const Halos& h, size_t stage, size_t dim = 0) {
  const Halo& of = h.of(stage)[dim];
  return {of.left, of.right, of.shift};
}

TEST(Halos, FollowEachStagesOwnReads) {
  Pipeline p = examples::three_levels(1000);
  Halos h = tight(p);
  EXPECT_EQ(widths(h, 0), (Widths{3, 3, 0}));
  EXPECT_EQ(widths(h, 1), (Widths{2, 2, 0}));
  EXPECT_EQ(widths(h, 2), (Widths{0, 0, 0}));
}

TEST(Halos, OfRectanglesAreAtTheLeft) {
  Pipeline p = examples::three_levels(1000);
  Halos h = tight(p, {TileShape::Rectangle});
  EXPECT_EQ(widths(h, 0), (Widths{6, 0, 0}));
  EXPECT_EQ(widths(h, 1), (Widths{4, 0, 1}));
  EXPECT_EQ(widths(h, 2), (Widths{0, 0, 3}));
}

TEST(Halos, ThatAreUniformHaveOneSlope) {
  Pipeline p = examples::three_levels(1000);
  Result<Halos> scalene = uniform_halos(p, whole(p)), rectangle = uniform_halos(p, whole(p), {TileShape::Rectangle});
  ASSERT_TRUE(scalene && rectangle);
  EXPECT_EQ(widths(*scalene, 0), (Widths{4, 4, 0}));
  EXPECT_EQ(widths(*rectangle, 0), (Widths{8, 0, 0}));
}

TEST(Halos, CountTheWorkOfBothShapes) {
  Pipeline p = examples::three_levels(1000);
  for (TileShape shape : {TileShape::Scalene, TileShape::Rectangle}) {
    Work w = work(p, tight(p, {shape}), {64});
    EXPECT_EQ(w.computed, (std::vector<int64_t>{1089, 1057, 993}));
    EXPECT_EQ(w.needed, (std::vector<int64_t>{999, 997, 993}));
  }
}

TEST(Halos, OfUnsharpAreAsTightAsInThePaper) {
  Pipeline p = examples::unsharp_of_polymage();
  Halos h = tight(p);
  Tile tile{8, 512};
  EXPECT_EQ(extents(h, 0, tile), (std::vector<int64_t>{8, 516}));
  EXPECT_EQ(extents(h, 1, tile), (std::vector<int64_t>{8, 512}));
  EXPECT_EQ(extents(h, 2, tile), (std::vector<int64_t>{8, 512}));
  Scratch s = scratch(p, h, tile);
  EXPECT_EQ(s.bytes, 8 * (516 + 512 + 512) * 4);
  EXPECT_EQ(s.peak_bytes, 8 * (512 + 512 + 516) * 4 - 8 * 512 * 4);  // blurx is gone when sharpen begins
}

TEST(Halos, AreOfTilesThatCoverAllResults) {
  Stage a = examples::point("a", {}), b = examples::point("b", {examples::same(stage(0))});
  a.live_out = true;
  a.domain = {{4, 7}, {0, 7}};
  b.domain = {{0, 5}, {8, 15}};
  Pipeline p = examples::pipeline({}, {a, b});
  Halos h = tight(p);
  EXPECT_EQ(tiles_along(p, h, 0, {2, 4}), (Interval{0, 3}));
  EXPECT_EQ(tiles_along(p, h, 1, {2, 4}), (Interval{0, 3}));
  EXPECT_EQ(num_tiles(p, h, {2, 4}), 16);
}

// `steps` steps in time of a stencil that reads one point to each side in each dimension.
Pipeline heat(size_t dims, size_t steps) {
  std::vector<Stage> stages;
  for (size_t t = 0; t < steps; ++t) {
    Source before = t == 0 ? input() : stage(t - 1);
    stages.push_back(examples::local("t" + std::to_string(t), {around(before, std::vector<int64_t>(dims, 1))}));
    stages.back().domain.assign(dims, {0, 999999});
  }
  return examples::pipeline({{"t", stages[0].domain}}, stages);
}

// Points of a tile of all steps, to those without overlap. Dimensions that are not overlapped do not count with their
// halos.
double redundant(const Pipeline& p, const Tile& tile, size_t overlapped) {
  Halos h = tight(p, std::vector<TileShape>(tile.size(), TileShape::Rectangle));
  double all = 0, own = 0;
  for (size_t s = 0; s < p.size(); ++s) {
    double points = 1, without = 1;
    for (size_t d = 0; d < tile.size(); ++d) {
      without *= static_cast<double>(tile[d]);
      points *= static_cast<double>(d < overlapped ? extents(h, s, tile)[d] : tile[d]);
    }
    all += points;
    own += without;
  }
  return all / own - 1;
}

// Two points more at the left for each step before the last one; section 11: what it comes to.
TEST(Halos, OfStepsInTimeAreAsInThePaper) {
  Pipeline p = heat(1, 32);
  Halos h = tight(p, {TileShape::Rectangle});
  for (int64_t t = 0; t < 32; ++t) EXPECT_EQ(widths(h, static_cast<size_t>(t)), (Widths{2 * (31 - t), 0, t}));
  EXPECT_NEAR(redundant(p, {8192}, 1), 0.0038, 5e-5);
  EXPECT_NEAR(redundant(heat(2, 4), {64, 64}, 2), 0.097, 5e-4);
  EXPECT_NEAR(redundant(heat(2, 4), {64, 64}, 1), 0.047, 5e-4);
  EXPECT_NEAR(redundant(heat(3, 4), {16, 16, 256}, 3), 0.449, 5e-4);
  EXPECT_NEAR(redundant(heat(3, 4), {16, 16, 256}, 1), 0.1875, 5e-5);
}

TEST(Halos, AreWrittenForPeople) {
  Pipeline p = examples::unsharp_of_polymage();
  EXPECT_EQ(text(p, tight(p)), "blurx 0+0 x 2+2; blury 0+0 x 0+0; sharpen 0+0 x 0+0; masked 0+0 x 0+0");
  Pipeline q = examples::three_levels(1000);
  EXPECT_EQ(text(q, tight(q, {TileShape::Rectangle})), "a 6+0; b 4+0 at 1; c 0+0 at 3");
}

TEST(Halos, MayLieWithinTheTile) {
  Stage a = examples::point("a", {});
  Stage b = examples::local("b", {{stage(0), {{0, 1, 2}, {1, 0, 0}}}});
  Pipeline p = examples::pipeline({}, {a, b});
  EXPECT_EQ(widths(tight(p), 0), (Widths{-1, 2, 0}));
  // Where clamping may fetch the last element, it is in the tile.
  b.reads[0].windows[0].border = Border::Clamp;
  p = examples::pipeline({}, {a, b});
  EXPECT_EQ(widths(tight(p), 0), (Widths{0, 2, 0}));
}

TEST(Halos, OfMirroredReadsReachAsFarAtTheOtherSide) {
  Stage a = examples::point("a", {});
  Stage b = examples::local("b", {{stage(0), {{0, -3, 0, 1, 1, Border::Mirror}, {1, 0, 0}}}});
  EXPECT_EQ(widths(tight(examples::pipeline({}, {a, b})), 0), (Widths{3, 2, 0}));
}

TEST(Halos, OfALookUpTableAreTheSameForAllTiles) {
  Stage table = examples::point("table", {});
  table.domain = {{0, 255}};
  Stage b = examples::local("b", {{stage(0), {{{}, 0, 255}}}});
  Pipeline p = examples::pipeline({}, {table, b});
  Halos h = tight(p);
  EXPECT_FALSE(h.of(0)[0].aligned);
  EXPECT_EQ(extents(h, 0, {8, 8}), std::vector<int64_t>{256});
  EXPECT_EQ(work(p, h, {1024, 1024}).computed[0], 4 * 256);
}

TEST(Halos, OfSampledStagesCountTheirOwnPoints) {
  Stage fine = examples::point("fine", {});
  Stage coarse = examples::local("coarse", {{stage(0), {{0, -1, 2, 2, 1}, {1, 0, 0}}}});
  coarse.domain = examples::size(1024, 2048);
  Stage up = examples::local("up", {{stage(1), {{0, -1, 1, 1, 2}, {1, 0, 0}}}});
  Pipeline p = examples::pipeline({}, {fine, coarse, up});
  Halos h = tight(p);
  EXPECT_EQ(least_tile(h), (Tile{2, 1}));
  EXPECT_EQ(widths(h, 1), (Widths{1, 1, 0}));  // of tile 0..7: floor(-1 / 2) .. floor(8 / 2), of 0..3
  EXPECT_EQ(widths(h, 0), (Widths{3, 3, 0}));  // 2 * -1 - 1 .. 2 * 4 + 2, of 0..7
  EXPECT_EQ(extents(h, 0, {8, 1}), (std::vector<int64_t>{14, 1}));
}

// The way up of multiscale interpolation, in tiles of 32x128 of a stage that reads a pixel more. The paper's table has 33x129, 33x66,
// 18x66, 18x35, 11x35 for tiles that begin anywhere; those that begin at multiples of their size need no more than this.
TEST(Halos, OfLevelsUpwardHalve) {
  auto half = [](size_t d) { return Window{d, 0, 2, 1, 2}; };
  std::vector<Stage> stages{examples::point("i2", {}),
                            examples::local("x1", {{stage(0), {half(0), {1}}}}),
                            examples::local("i1", {{stage(1), {{0}, half(1)}}}),
                            examples::local("x0", {{stage(2), {half(0), {1}}}}),
                            examples::local("i0", {{stage(3), {{0}, half(1)}}}),
                            examples::local("result", {{stage(4), {{0, 0, 1}, {1, 0, 1}}}})};
  Pipeline p = examples::pipeline({}, stages);
  Halos h = tight(p);
  std::vector<std::vector<int64_t>> found;
  for (size_t s = 5; s-- > 0;) found.push_back(extents(h, s, {32, 128}));
  EXPECT_EQ(found, (std::vector<std::vector<int64_t>>{{33, 129}, {33, 66}, {18, 66}, {18, 34}, {10, 34}}));
}

// PolyMage's own widths for the unsharp mask, 518 each, follow from neither rule here.
TEST(Halos, OfUnsharpThatAreUniformAreWiderThanPolyMages) {
  Pipeline p = examples::unsharp_of_polymage();
  Result<Halos> h = uniform_halos(p, whole(p));
  ASSERT_TRUE(h);
  EXPECT_EQ(extents(*h, 0, {8, 512}), (std::vector<int64_t>{8, 524}));
  EXPECT_EQ(extents(*h, 1, {8, 512}), (std::vector<int64_t>{8, 520}));
  EXPECT_EQ(extents(*h, 2, {8, 512}), (std::vector<int64_t>{8, 516}));
}

TEST(Halos, OfWrappedStagesGoOnBeyondTheImage) {
  Stage a = examples::point("a", {});
  Stage b = examples::local("b", {around(stage(0), {1, 0}, Border::Wrap)});
  Stage c = examples::local("c", {around(stage(1), {1, 0}, Border::Wrap)});
  Pipeline p = examples::pipeline({}, {a, b, c});
  Halos h = tight(p);
  EXPECT_TRUE(h.of(0)[0].wraps);
  EXPECT_EQ(work(p, h, {1024, 2048}).computed[0], 2 * (1024 + 4) * 2048);
  // Whatever the border of what they read: so far beyond, that is in the image.
  b.reads[0].windows[0].border = Border::Clamp;
  p = examples::pipeline({}, {a, b, c});
  EXPECT_TRUE(tight(p).of(0)[0].wraps);
  EXPECT_EQ(text(p, tight(p)), "a 2+2 x 0+0; b 1+1 x 0+0; c 0+0 x 0+0");
  // A tile beyond what is wrapped would not know which points stand for which.
  a.extents = b.extents = {0, 1};
  c.extents = {2, 1};
  EXPECT_EQ(refusal(examples::pipeline({}, {a, b, c})), "b is wrapped, and not known to be as large as c");
}

TEST(Tiles, CoverResultsOfOtherSizesButNotByADiagonal) {
  Stage fine = examples::local("fine", {});
  fine.live_out = true;
  Stage coarse = examples::local("coarse", {{stage(0), {{0, 0, 1, 2, 1}, {1, 0, 0}}}});
  coarse.domain = {{0, 1000}, {0, 2000}};
  Pipeline p = examples::pipeline({}, {fine, coarse});
  EXPECT_TRUE(is_covered(p, tight(p), 0));
  EXPECT_EQ(tiles_along(p, tight(p), 0, {16, 64}).size(), 64);
  Stage diagonal = examples::local("diagonal", {{stage(0), {{0, 0, 1}, {0, 0, 0}}}});
  diagonal.domain = {{0, 2047}};
  p = examples::pipeline({}, {fine, diagonal});
  EXPECT_FALSE(is_covered(p, tight(p), 0));
}

TEST(Halos, AreRefusedWhereOffsetsAreNotConstant) {
  Stage a = examples::point("a", {});
  Stage transposed = examples::point("b", {{stage(0), {{1}, {0}}}, examples::same(stage(0))});
  EXPECT_EQ(refusal(examples::pipeline({}, {a, transposed})), "a is read at offsets that are not constant");
  Stage sampled = examples::point("b", {{stage(0), {{0, 0, 0, 2, 1}, {1}}}, examples::same(stage(0))});
  EXPECT_EQ(refusal(examples::pipeline({}, {a, sampled})), "a is read at offsets that are not constant");
}

TEST(Halos, AreRefusedWhereATileWouldNeedAll) {
  Stage a = examples::point("a", {});
  a.live_out = true;
  Stage sum = examples::local("sum", {{stage(0), {{{}, 0, 2047}, {0}}}});
  sum.domain = {{0, 2047}};
  EXPECT_EQ(refusal(examples::pipeline({}, {a, sum})), "every tile would compute all of a");
}

TEST(Halos, OfRectanglesAreNotForSampling) {
  Stage a = examples::point("a", {});
  Stage b = examples::point("b", {{stage(0), {{0, 0, 0, 2, 1}, {1}}}});
  Pipeline p = examples::pipeline({}, {a, b});
  EXPECT_EQ(refusal(p, {TileShape::Rectangle}), "a is sampled along a rectangle's dimension");
  EXPECT_EQ(refusal(p, {TileShape::Scalene, TileShape::Rectangle}), "none");
}

}  // namespace
}  // namespace heddle::stencil
