// PolyMage-GPU's cost, term by term, for the blur of the paper.
#include "rewrites/stencil/polymage_cost.h"

#include <gtest/gtest.h>

#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using examples::input;
using examples::local;
using examples::stage;

const Device& pascal = *find_device("GTX 1080 Ti");

// Three planes of 4096x4096, first along columns, then along rows; 50 ns and 12 registers a stage.
Pipeline blur() {
  std::vector<Interval> planes{{0, 2}, {0, 4095}, {0, 4095}};
  Stage first = local("first", {{input(), {{0}, {1, -1, 1}, {2}}}});
  Stage second = local("second", {{stage(0), {{0}, {1}, {2, -1, 1}}}});
  for (Stage* s : {&first, &second}) {
    s->domain = planes;
    s->point_ns = 50;
    s->registers = 12;
  }
  return examples::pipeline({{"img", planes}}, {first, second});
}

PolymageModel reading(PolymageModel::Reading r) {
  PolymageModel model;
  model.reading = r;
  return model;
}

PolymageGroup group(const Pipeline& p, PolymageModel::Reading r) {
  return *PolymageGroup::of(p, pascal, reading(r), whole(p));
}

TEST(PolymageWarps, LieAlongTheLastDimensionsFirst) {
  EXPECT_EQ(warp_shape({1, 8, 16}, 32), (std::vector<int64_t>{1, 2, 16}));
  EXPECT_EQ(warp_shape({1, 4, 64}, 32), (std::vector<int64_t>{1, 1, 32}));
  std::vector<int64_t> shape = warp_shape({1, 8, 16}, 32), tile{1, 4, 8};  // a warp's tile is 1 x 8 x 128
  EXPECT_EQ((std::vector<int64_t>{shape[0] * tile[0], shape[1] * tile[1], shape[2] * tile[2]}),
            (std::vector<int64_t>{1, 8, 128}));
}

TEST(PolymageCost, OfTheBlurAsPrinted) {
  Pipeline p = blur();
  PolymageGroup g = group(p, PolymageModel::Reading::Literal);
  std::optional<PolymageCost> c = g.cost({{1, 1, 8}, {1, 4, 64}, 0, 32});
  ASSERT_TRUE(c);
  EXPECT_EQ(c->shared_bytes, 8256);
  EXPECT_EQ(c->blocks_per_sm, 11);
  EXPECT_EQ(c->occupancy, 1);
  EXPECT_EQ(c->transactions, 96);
  EXPECT_NEAR(c->memory_ns, 710.9, 0.05);
  EXPECT_EQ(c->compute_ns, 800);
  EXPECT_NEAR(c->unused_shared, 0.0762, 5e-5);
  EXPECT_EQ(c->unused_registers, 0.25);
  EXPECT_NEAR(c->redundant, 0.0078, 5e-5);
  EXPECT_EQ(c->extra_blocks, 8);
  EXPECT_NEAR(c->cost, 4850.79, 0.005);
  EXPECT_NEAR(g.cost({{1, 1, 8}, {1, 4, 64}, 0, 128})->cost, 1250.79, 0.005);
}

// Section 5 of the paper, and its redundant part of the work: 2 / (T * W).
TEST(PolymageCost, OfTheBlurInLargerTiles) {
  Pipeline p = blur();
  PolymageGroup g = group(p, PolymageModel::Reading::Literal);
  std::optional<PolymageCost> eight = g.cost({{1, 1, 8}, {1, 4, 64}, 0, 32}),
                              sixteen = g.cost({{1, 1, 16}, {1, 4, 64}, 0, 32});
  ASSERT_TRUE(eight && sixteen);
  EXPECT_EQ(sixteen->shared_bytes, 16448);
  EXPECT_EQ(sixteen->blocks_per_sm, 5);
  EXPECT_EQ(sixteen->occupancy, 0.625);
  EXPECT_EQ(eight->redundant, 2.0 / (8 * 32));
  EXPECT_EQ(sixteen->redundant, eight->redundant / 2);
}

TEST(PolymageCost, HasRegistersOfTheWholeBuffersUnlessAsPrinted) {
  Pipeline p = blur();
  PolymageConfig half{{1, 1, 16}, {1, 4, 64}, 0.5, 32};
  std::optional<PolymageCost> printed = group(p, PolymageModel::Reading::Literal).cost(half);
  std::optional<PolymageCost> meant = group(p, PolymageModel::Reading::Corrected).cost(half);
  ASSERT_TRUE(printed && meant);
  EXPECT_EQ(printed->registers, 24 + 5);  // 4.02
  EXPECT_EQ(meant->registers, 24 + 9);    // 8.03, of which the paper counts 8
  EXPECT_EQ(printed->shared_bytes, 8224);
  EXPECT_EQ(meant->shared_bytes, 8256);  // the halo stays
}

TEST(PolymageCost, IsNoneWhereThereIsNoRoom) {
  Pipeline p = blur();
  PolymageGroup g = group(p, PolymageModel::Reading::Corrected);
  EXPECT_TRUE(g.cost({{1, 1, 32}, {1, 4, 64}, 0, 32}));   // 32,832 bytes
  EXPECT_FALSE(g.cost({{1, 2, 32}, {1, 4, 64}, 0, 32}));  // twice as many
  EXPECT_TRUE(g.cost({{1, 2, 32}, {1, 4, 64}, 0.8, 32}));
  EXPECT_FALSE(g.cost({{1, 1, 1}, {1, 4, 64}, 0.5, 32}));  // nothing to split
  EXPECT_FALSE(g.cost({{1, 1, 8}, {1, 64, 64}, 0, 32}));   // 4096 threads
  std::vector<Stage> stages = p.stages();
  stages[0].registers = 250;
  Pipeline many = examples::pipeline(p.inputs(), stages);
  EXPECT_FALSE(group(many, PolymageModel::Reading::Corrected).cost({{1, 1, 8}, {1, 4, 64}, 0, 32}));
}

TEST(PolymageCost, PrefersLargeTilesUnlessAsPrinted) {
  Pipeline p = blur();
  EXPECT_EQ(group(p, PolymageModel::Reading::Literal).best()->config.thread_tile, (Tile{1, 1, 1}));
  EXPECT_EQ(group(p, PolymageModel::Reading::Corrected).best()->config.thread_tile.back(), 32);
}

TEST(PolymageCost, IsNoneOfGroupsThatCannotBe) {
  Pipeline p = blur();
  std::vector<Stage> stages = p.stages();
  stages[1].kind = StageKind::Global;
  Pipeline global = examples::pipeline(p.inputs(), stages);
  EXPECT_EQ(PolymageGroup::of(global, pascal, {}, whole(global)).error().message, "second reads whole images");
  EXPECT_TRUE(PolymageGroup::of(global, pascal, {}, {{1}}));
  stages = p.stages();
  stages[1].reads[0].windows[2].follows = 1;
  stages[1].reads[0].windows[1].follows = 2;
  stages[1].reads.push_back({stage(0), {{0}, {1}, {2}}});
  Pipeline transposed = examples::pipeline(p.inputs(), stages);
  EXPECT_FALSE(PolymageGroup::of(transposed, pascal, {}, whole(transposed)));
}

}  // namespace
}  // namespace heddle::stencil
