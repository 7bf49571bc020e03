// How many steps of iterated stencils become one kernel, by the model.
#include "rewrites/stencil/time_tile.h"

#include <gtest/gtest.h>

#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using namespace examples;

const Device& h100() { return *find_device("H100"); }

// A step of one stage that reads around its own place what it is in the next step.
Iterated step(const std::vector<int64_t>& extents, const std::vector<int64_t>& radii, int64_t alu_ops, int64_t loads) {
  Image a{"a", {}};
  for (int64_t e : extents) a.domain.push_back({0, e - 1});
  Stage b = local("b", {around(input(), radii)}, alu_ops);
  b.domain = a.domain;
  b.live_out = true;
  return {pipeline({a}, {b}), {stage(0)}, {loads}};
}

Iterated jacobi(int64_t rows, int64_t columns) { return step({rows, columns}, {1, 1}, 4, 5); }

int64_t depth(const Iterated& it, std::optional<int64_t> num_steps = {}) {
  auto best = choose_time_tile(it, h100(), num_steps).best;
  return best ? best->steps : 1;
}

TEST(TimeTile, StepsReadTheOnesBefore) {
  Result<Pipeline> p = unrolled(jacobi(2048, 2048), 3);
  ASSERT_TRUE(p);
  EXPECT_EQ(outputs(*p, whole(*p)), std::vector<size_t>{2});
  Result<Halos> halos = tight_halos(*p, whole(*p));
  ASSERT_TRUE(halos);
  EXPECT_EQ(text(*p, *halos), "b_1 2+2 x 2+2; b_2 1+1 x 1+1; b_3 0+0 x 0+0");
}

// Points computed again for each needed, in a tile within the image.
double again(const Iterated& it, int64_t steps, const Tile& tile) {
  Result<Pipeline> p = unrolled(it, steps);
  Result<Halos> halos = tight_halos(*p, whole(*p));
  double computed = 0, needed = static_cast<double>(steps);
  for (int64_t extent : tile) needed *= static_cast<double>(extent);
  for (size_t s = 0; s < p->size(); ++s) {
    double points = 1;
    for (int64_t extent : extents(*halos, s, tile)) points *= static_cast<double>(extent);
    computed += points;
  }
  return computed / needed - 1;
}

// Heat equations in the tiles of Flextended Tiles' table 8: what follows for steps that read one point to each side.
TEST(TimeTile, PointsComputedAgainAreThoseOfThePaper) {
  EXPECT_NEAR(again(step({160'000}, {1}, 3, 3), 32, {8192}), 0.0038, 0.00005);
  EXPECT_NEAR(again(step({4000, 4000}, {1, 1}, 5, 5), 4, {64, 64}), 0.097, 0.0005);
  EXPECT_NEAR(again(step({150, 150, 150}, {1, 1, 1}, 7, 7), 4, {16, 16, 256}), 0.449, 0.0005);
}

// a, before := f(a, before), a: what is handed on unchanged is a step's result, too.
TEST(TimeTile, ArraysMaySwap) {
  Image a{"a", size(64, 64)}, before{"before", size(64, 64)};
  Stage next = local("next", {around(input(0), {1, 1}), same(input(1))});
  next.domain = a.domain;
  Result<Pipeline> p = unrolled({pipeline({a, before}, {next}), {stage(0), input(0)}, {6}}, 3);
  ASSERT_TRUE(p);
  EXPECT_EQ(outputs(*p, whole(*p)), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(p->stage(0).reads[1].source, input(1));
  EXPECT_EQ(p->stage(1).reads[1].source, input(0));
  EXPECT_EQ(p->stage(2).reads[1].source, stage(0));
}

TEST(TimeTile, WhereMemoryBoundsAStep) {
  EXPECT_GE(depth(jacobi(8192, 8192)), 3);
  EXPECT_GE(depth(step({1 << 22}, {1}, 4, 3)), 4);
  EXPECT_GE(depth(step({160, 160, 160}, {1, 1, 1}, 6, 7)), 2);
}

TEST(TimeTile, NotWhereArithmeticDoes) { EXPECT_EQ(depth(step({2048, 2048}, {1, 1}, 400, 9)), 1); }

// A border of 20 points is many times a tile after some steps.
TEST(TimeTile, NotWhereMuchIsComputedAgain) { EXPECT_EQ(depth(step({2048, 2048}, {20, 20}, 40, 40)), 1); }

TEST(TimeTile, NoMoreStepsThanThereAre) {
  EXPECT_EQ(depth(jacobi(2048, 2048), 0), 1);
  EXPECT_EQ(depth(jacobi(2048, 2048), 1), 1);
  EXPECT_EQ(depth(jacobi(2048, 2048), 3), 3);
}

TEST(TimeTile, AsManyStepsAsAreAskedFor) {
  EXPECT_EQ(choose_time_tile(jacobi(2048, 2048), h100(), {}, 8).best->steps, 8);
  EXPECT_FALSE(choose_time_tile(jacobi(2048, 2048), h100(), {}, 1).best);
}

TEST(TimeTile, WarpsWalkWhereThatWasMeasured) {
  auto best = [](const Iterated& it, std::optional<int64_t> num_steps) {
    return *choose_time_tile(it, h100(), num_steps).best;
  };
  EXPECT_TRUE(best(jacobi(8192, 8192), {}).walk);
  EXPECT_EQ(best(jacobi(8192, 8192), {}).steps, 10);
  // As few steps as can be are left to be done one by one.
  for (const auto& [num_steps, depth] :
       std::vector<std::pair<int64_t, int64_t>>{{100, 10}, {27, 9}, {12, 6}, {25, 5}, {11, 10}})
    EXPECT_EQ(best(jacobi(8192, 8192), num_steps).steps, depth) << num_steps;
  EXPECT_FALSE(best(jacobi(8192, 8192), 4).walk);
  // Much arithmetic, other dimensions, wider elements, arrays that stay as they are, loops that end by a condition.
  EXPECT_FALSE(best(step({8192, 8192}, {1, 1}, 20, 9), {}).walk);
  EXPECT_FALSE(best(step({1 << 22}, {1}, 4, 3), {}).walk);
  Iterated until = jacobi(8192, 8192);
  until.until = true;
  EXPECT_FALSE(best(until, {}).walk);
  Iterated wide = jacobi(8192, 8192);
  Stage stage = wide.step.stage(0);
  stage.element_bytes = {8};
  wide.step = pipeline(wide.step.inputs(), {stage});
  EXPECT_FALSE(best(wide, {}).walk);
}

}  // namespace
}  // namespace heddle::stencil
