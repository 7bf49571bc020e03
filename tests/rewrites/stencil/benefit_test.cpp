// Hipacc's weights: those of the thesis' example, and where fusion stops paying.
#include "rewrites/stencil/benefit.h"

#include <gtest/gtest.h>

#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using namespace examples;  // NOLINT: test vocabulary

const Device& kepler = *find_device("K20c");

EdgeBenefit benefit(const Stage& first, const Stage& second, const HipaccModel& model = {}) {
  return benefits(examples::pipeline({{"img", examples::size(2048, 2048)}}, {first, second}), kepler, model).at(0);
}

TEST(Benefit, OfHarrisIsAsInTheThesis) {
  Pipeline p = examples::harris();
  std::vector<std::string> weights;
  for (const EdgeBenefit& e : benefits(p, kepler, {}))
    weights.push_back(p.stage(e.producer).name + "-" + p.stage(e.consumer).name + " " + weight_text({e}));
  EXPECT_EQ(weights, (std::vector<std::string>{"dx-sx eps", "dx-sxy eps", "dy-sxy eps", "dy-sy eps", "sx-gx 328",
                                               "sxy-gxy 256", "sy-gy 328", "gx-hc eps", "gxy-hc eps", "gy-hc eps"}));
}

TEST(Benefit, OfPointsIsTheirMemory) {
  EdgeBenefit e = benefit(local("a", {around(input(), {1, 1})}, 1000), point("b", {same(stage(0))}));
  EXPECT_EQ(e.scenario, Scenario::PointBased);
  EXPECT_EQ(e.weight(), 400);
}

// 400 / (4 * taps) operations: 11.1, 4, 2.04.
TEST(Benefit, EndsWhereRecomputingAPointCostsAsMuch) {
  auto unprofitable = [](int64_t operations, int64_t radius) {
    return benefit(point("a", {same(input())}, operations), local("b", {around(stage(0), {radius, radius})}))
        .unprofitable;
  };
  EXPECT_FALSE(unprofitable(11, 1));
  EXPECT_TRUE(unprofitable(12, 1));
  EXPECT_FALSE(unprofitable(3, 2));
  EXPECT_TRUE(unprofitable(4, 2));
  EXPECT_FALSE(unprofitable(2, 3));
  EXPECT_TRUE(unprofitable(3, 3));
}

TEST(Benefit, OfWindowsOfWindowsDependsOnTheReading) {
  auto of = [](const HipaccModel& model) {
    return benefit(local("a", {around(input(), {1, 1})}, 2), local("b", {around(stage(0), {1, 1})}), model);
  };
  EdgeBenefit e = of({});
  EXPECT_EQ(e.scenario, Scenario::LocalToLocal);
  EXPECT_EQ(e.saved, 100);
  EXPECT_EQ(e.recomputed, 200);  // 8 cycles at 5x5
  EXPECT_TRUE(e.unprofitable);
  HipaccModel difference;
  difference.shared_gain = HipaccModel::SharedGain::Difference;
  EXPECT_EQ(of(difference).weight(), 196);
  HipaccModel launches;
  launches.launch_gain = 150;
  EXPECT_EQ(of(launches).weight(), 50);
}

TEST(Benefit, OfNightsFilters) {
  std::vector<EdgeBenefit> e = benefits(examples::night(), kepler, {});
  EXPECT_EQ(e[0].recomputed, 13328);  // 272 cycles at 7x7
  EXPECT_TRUE(e[0].unprofitable);
  EXPECT_EQ(e[1].weight(), 400);
}

TEST(Benefit, CountsPointsOfTheLargestStage) {
  Stage a = point("a", {same(input())}), b = point("b", {same(stage(0))}),
        c = local("c", {{stage(1), {{0, 0, 0, 2}, {1}}}});
  c.domain = examples::size(1024, 2048);
  Stage d = point("d", {same(stage(2))});
  d.domain = c.domain;
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, {a, b, c, d});
  std::vector<EdgeBenefit> e = benefits(p, kepler, {});
  EXPECT_EQ(e[0].saved, 400);
  EXPECT_EQ(e[2].saved, 200);
  EXPECT_EQ(e[1].pair_illegal.value_or("legal"), "header: b and c differ in size");
}

}  // namespace
}  // namespace heddle::stencil
