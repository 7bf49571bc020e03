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

}  // namespace
}  // namespace heddle::stencil
