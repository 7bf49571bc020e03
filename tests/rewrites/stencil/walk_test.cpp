// Which groups warps walk, how many rows of what they keep, and that these suffice.
#include "rewrites/stencil/walk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

#include "rewrites/stencil/time_tile.h"
#include "tests/rewrites/stencil/images.h"

namespace heddle::stencil {
namespace {

Result<Walk> walked(std::vector<Stage> stages, const WalkModel& model = {}) {
  stages.back().live_out = true;
  Result<Pipeline> p = Pipeline::of({}, std::move(stages));
  if (!p) return p.error();
  Result<Halos> halos = tight_halos(*p, whole(*p));
  if (!halos) return halos.error();
  return fit_walk(*p, *halos, model);
}

// Steps of the heat equation in the plane, each of which reads one point to each side.
std::vector<Stage> heat(int64_t steps) {
  std::vector<Stage> stages = {image("step0", {})};
  for (int64_t k = 1; k < steps; ++k)
    stages.push_back(image("step" + std::to_string(k), {window(static_cast<size_t>(k - 1), {0, -1, 1}, {1, -1, 1})}));
  return stages;
}

TEST(Walk, KeepsThreeRowsOfEachStep) {
  const Result<Walk> w = walked(heat(8));
  ASSERT_TRUE(w) << w.error().message;
  EXPECT_EQ(w->columns_of_lane, 4);
  EXPECT_EQ(w->left, 8);
  EXPECT_EQ(w->right, 8);
  EXPECT_EQ(w->columns(), 112);
  EXPECT_EQ(w->before, 14);
  EXPECT_EQ(w->written_out, 3);
  for (size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(w->stages[k].ahead, 7 - static_cast<int64_t>(k));
    EXPECT_EQ(w->stages[k].rows, k == 7 ? 0 : 3);
  }
}

// Overlap along columns alone: of a strip's (2*7 + 112)/112 columns and more in whole lanes, and of a segment's rows those that come before.
TEST(Walk, ComputesBesideItsStripAndBeforeItsSegment) {
  const Result<Walk> w = walked(heat(8));
  ASSERT_TRUE(w) << w.error().message;
  for (int64_t points : points_walked(*w, 1000)) EXPECT_EQ(points, (1000 + 14) * 128);
}

// Of the heat equations in Flextended Tiles' section 11, tiles of the same points: all sides overlapped, or columns alone.
TEST(Walk, OverlapsLessThanTilesOfAllSides) {
  std::vector<Stage> steps = heat(4);
  steps.back().live_out = true;
  const Result<Pipeline> p = Pipeline::of({}, std::move(steps));
  ASSERT_TRUE(p);
  const Result<Halos> full = tight_halos(*p, whole(*p));
  ASSERT_TRUE(full);
  auto again = [&](bool rows, int64_t height, int64_t width) {
    double computed = 0;
    for (size_t s = 0; s < 4; ++s) {
      const Halo &down = full->stages[s][0], &across = full->stages[s][1];
      computed += static_cast<double>((rows ? extent(down, height) : height) * extent(across, width));
    }
    return computed / static_cast<double>(4 * height * width) - 1;
  };
  EXPECT_NEAR(again(true, 64, 64), 0.097, 0.0005);
  EXPECT_NEAR(again(false, 64, 64), 0.047, 0.0005);
}

TEST(Walk, SaysWhyNot) {
  const Stage a = image("a", {});
  EXPECT_EQ(walked({a, image("b", {window(0, {0, 0, 0}, {0, 0, 0})})}).error().message, "a is sampled at another rate");
  EXPECT_EQ(walked({a, image("b", {window(0, {0, 0, 0}, {1, -30, 30})})}).error().message,
            "188 % of a warp's columns would be beside its strip");
  EXPECT_EQ(walked(heat(20), {.columns = {4}}).error().message, "a lane's rows take 152 registers, of at most 144");
  EXPECT_EQ(walked(heat(4), {.columns = {}}).error().message, "lanes are to have no columns");
}

// Where warps suffice for all strips, there are as many segments as they have room for, in whole turns.
TEST(Walk, HasAllWarpsAtATime) {
  const Result<Walk> w = walked(heat(8));
  ASSERT_TRUE(w) << w.error().message;
  const int64_t rows = w->segment(8192, 8192, 1), strips = (8192 + 111) / 112;
  EXPECT_EQ((rows + w->before) % w->written_out, 0);
  const int64_t segments = (8192 + rows - 1) / rows;
  EXPECT_LE(segments * strips, w->warps);
  EXPECT_EQ(w->segment(10, 10, 1) + w->before, 48);
}

// ---- Images, and dimensions before rows and columns. ----

Read of_input(size_t input, std::vector<Window> windows) { return {{Source::Kind::Input, input}, std::move(windows)}; }

Result<Walk> walked_images(std::vector<Image> inputs, std::vector<Stage> stages) {
  stages.back().live_out = true;
  Result<Pipeline> p = Pipeline::of(std::move(inputs), std::move(stages));
  if (!p) return p.error();
  Result<Halos> halos = tight_halos(*p, whole(*p));
  if (!halos) return halos.error();
  return fit_walk(*p, *halos);
}

// Each plane of an image has rows of its own, and only what readers look at stays in registers.
TEST(Walk, KeepsThePlanesThatPointsRead) {
  const std::vector<Interval> plane = {{0, 4095}, {0, 4095}};
  const Stage gray = image("gray", {of_input(0, {{{}, 0, 2}, {0, 0, 0}, {1, 0, 0}})});
  const Stage sum = image("sum", {window(0, {0, 0, 2}, {1, 0, 2})});
  const Result<Walk> w = walked_images({{"img", {{0, 2}, plane[0], plane[1]}}}, {gray, sum});
  ASSERT_TRUE(w) << w.error().message;
  ASSERT_EQ(w->images.size(), 3U);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(w->images[k].layer, (std::vector<LayerPlace>{{std::nullopt, static_cast<int64_t>(k)}}));
    EXPECT_EQ(w->images[k].kept.ahead, 2);
    EXPECT_EQ(w->images[k].kept.rows, 1);
  }
  EXPECT_EQ(w->stages[0].rows, 3);
  EXPECT_EQ(w->written_out, 3);
  EXPECT_EQ(w->left, 0);
  EXPECT_EQ(w->right, 8);  // two columns, in whole sectors
}

// A warp has one place in each dimension before rows and columns; segments are shorter where there are more of these.
TEST(Walk, GoesDownEachLayer) {
  auto layered = [](const char* name, std::vector<Read> reads) {
    Stage s = image(name, std::move(reads));
    s.domain = {{0, 2}, {0, 4095}, {0, 4095}};
    return s;
  };
  const Window own{0, 0, 0};
  const Stage a = layered("a", {of_input(0, {own, {1, -1, 1}, {2, 0, 0}})});
  const Stage b = layered("b", {{{Source::Kind::Stage, 0}, {own, {1, 0, 0}, {2, -1, 1}}}});
  const Result<Walk> w = walked_images({{"img", {{0, 2}, {0, 4095}, {0, 4095}}}}, {a, b});
  ASSERT_TRUE(w) << w.error().message;
  ASSERT_EQ(w->images.size(), 1U);
  EXPECT_EQ(w->images[0].layer, (std::vector<LayerPlace>{{size_t{0}, 0}}));
  EXPECT_EQ(tile_of(*w, b.domain), (Tile{1, w->segment(4096, 4096, 3), w->columns()}));
  EXPECT_LT(w->segment(1 << 16, 4096, 3), 3 * w->segment(1 << 16, 4096, 1) + w->written_out);
  const Stage across = layered("b", {{{Source::Kind::Stage, 0}, {{0, -1, 0}, {1, 0, 0}, {2, 0, 0}}}});
  EXPECT_EQ(walked_images({{"img", {{0, 2}, {0, 4095}, {0, 4095}}}}, {a, across}).error().message,
            "a is read around in more than rows and columns");
}

// ---- Rows that readers ask for are there, and those of a segment follow from such that are there alone. ----

int64_t pick(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }

Window window_of(size_t dim, int64_t most) {
  const int64_t lo = pick(-most, 0);
  return {dim, lo, pick(std::max<int64_t>(lo, 0), most)};
}

RC_GTEST_PROP(WalkProperty, HasEachRowWhereItsReadersLook, ()) {
  std::vector<Stage> stages;
  const int64_t count = pick(2, 6);
  for (int64_t k = 0; k < count; ++k) {
    std::vector<Read> reads;
    const int64_t others = k == 0 ? 0 : pick(1, 2);
    for (int64_t r = 0; r < others; ++r) {
      const int64_t of = r == 0 ? k - 1 : pick(0, k - 1);
      reads.push_back(window(static_cast<size_t>(of), window_of(0, 3), window_of(1, 2)));
    }
    stages.push_back(image(std::string(1, static_cast<char>('a' + k)), std::move(reads)));
  }
  WalkModel model;
  model.most_registers = model.most_operations = model.most_rows_before = 1 << 20;
  model.most_beside = 1;
  const std::vector<Stage> described = stages;
  const Result<Walk> w = walked(std::move(stages), model);
  RC_PRE(static_cast<bool>(w));
  struct Row {
    int64_t number;
    bool follows_from_others;
  };
  std::vector<std::deque<Row>> kept(described.size());
  for (int64_t y = -w->before; y < 5; ++y) {
    for (size_t s = 0; s < described.size(); ++s) {
      const int64_t own = y + w->stages[s].ahead;
      bool follows = true;
      for (const Read& read : described[s].reads) {
        const size_t producer = read.source.number;
        for (int64_t row = own + read.windows[0].lo; row <= own + read.windows[0].hi; ++row) {
          const int64_t back = y + w->stages[producer].ahead - row;
          RC_ASSERT(back >= 0 && back < w->stages[producer].rows);
          const auto& rows = kept[producer];
          const bool is_there = back < static_cast<int64_t>(rows.size());
          if (is_there) RC_ASSERT(rows[rows.size() - 1 - static_cast<size_t>(back)].number == row);
          follows &= is_there && rows[rows.size() - 1 - static_cast<size_t>(back)].follows_from_others;
        }
      }
      if (s + 1 == described.size() && y >= 0) RC_ASSERT(follows);
      kept[s].push_back({own, follows});
      while (static_cast<int64_t>(kept[s].size()) > std::max<int64_t>(1, w->stages[s].rows)) kept[s].pop_front();
    }
  }
}

}  // namespace
}  // namespace heddle::stencil
