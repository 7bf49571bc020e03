#include "rewrites/stencil/group.h"

#include <gtest/gtest.h>

#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using examples::input;
using examples::point;
using examples::same;
using examples::stage;

// a -> b -> d, a -> c -> d
Pipeline diamond() {
  return examples::pipeline({{"img", examples::size(8, 8)}}, {point("a", {same(input())}), point("b", {same(stage(0))}),
                                                              point("c", {same(stage(0)), same(input())}),
                                                              point("d", {same(stage(1)), same(stage(2))})});
}

TEST(Points, OfManyUnknownSizesAreMany) {
  const Interval unknown{0, 2047};
  EXPECT_EQ(points({unknown, {0, 2}}), 6144);
  EXPECT_EQ(points(std::vector<Interval>(6, unknown)), kManyPoints);
  EXPECT_EQ(points({unknown, unknown, unknown, unknown, unknown, unknown, Interval{}}), 0);
}

TEST(Group, KnowsWhatGoesInAndOut) {
  Pipeline p = diamond();
  EXPECT_EQ(outputs(p, {{0, 1}}), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(outputs(p, whole(p)), (std::vector<size_t>{3}));
  EXPECT_EQ(inputs(p, {{1, 2}}), (std::vector<Source>{stage(0), input()}));
}

TEST(Group, IsNoneIfAPathLeavesItAndComesBack) {
  Pipeline p = diamond();
  EXPECT_FALSE(is_convex(p, {{0, 1, 3}}));
  EXPECT_TRUE(is_convex(p, {{1, 3}}));
  EXPECT_FALSE(is_connected(p, {{1, 2}}));
  EXPECT_TRUE(is_connected(p, {{1, 2, 3}}));
}

TEST(Group, ComesAfterWhatItReads) {
  Pipeline p = diamond();
  auto order = in_order(p, {{{3}}, {{1}}, {{0, 2}}});
  ASSERT_TRUE(order);
  EXPECT_EQ(text(p, Partition{*order}), "{a, c} {b} {d}");
  EXPECT_FALSE(in_order(p, {{{0, 3}}, {{1}}, {{2}}}));
}

TEST(Pipeline, IsRefusedIfItReadsWhatComesLater) {
  Result<Pipeline> p = Pipeline::of({}, {point("a", {same(stage(0))})});
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().message, "stage a reads what is not computed before it");
  EXPECT_FALSE(Pipeline::of({{"img", {{0, 7}}}}, {point("a", {same(input())})}));
}

}  // namespace
}  // namespace heddle::stencil
