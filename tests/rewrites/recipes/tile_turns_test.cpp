// Boxes are divided among threads so that each point is somebody's, once.
#include "rewrites/recipes/tile_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/eval.h"
#include "ir/nest/verify.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {
namespace {

using nest::Expr;
using Box = std::vector<int64_t>;

TEST(Strips, LieAcrossTheWideRows) {
  Strips strips = strips_for({32, 64}, 256, 16);
  EXPECT_EQ(strips.along, 0);
  EXPECT_EQ(strips.rows, 8);  // 4 times 64 strips: one for each thread
  strips = strips_for({3, 16, 64}, 256, 16);
  EXPECT_EQ(strips.along, 1);
  strips = strips_for({16, 64, 3}, 256, 16);
  EXPECT_EQ(strips.along, 0);
}

TEST(Strips, AreSinglePointsOfALine) {
  EXPECT_EQ(strips_for({1024}, 256, 16).rows, 1);
  EXPECT_EQ(strips_for({64, 3}, 256, 16).rows, 1);
}

// Three rows of each strip do the work of 33 rows for 32, which is little beside what a strip costs, but not where each row has several points.
TEST(Strips, EndWithTheBoxWhereRowsAreDear) {
  EXPECT_EQ(strips_for({32, 64}, 256, 3).rows, 3);
  EXPECT_EQ(strips_for({32, 64}, 256, 3, 4).rows, 2);
}

TEST(Strips, AreNoLongerThanAllowed) { EXPECT_LE(strips_for({512, 64}, 256, 4).rows, 4); }

// Runs a kernel of one block that stores to the points of a box; the evaluator finds points that several threads store to.
using Divide = std::function<nest::Stmt(const TeamOfThreads&, const Name&, NameSource&)>;
void check_each_point_once(const Box& box, const Divide& divide) {
  NameSource names(1);
  TeamOfThreads block{names.fresh("thread"), 64};
  Name out = names.fresh("out");
  nest::Kernel kernel;
  kernel.name = "turns";
  std::vector<Expr> dims;
  int64_t count = 1;
  for (int64_t d : box) dims.push_back(i64(d)), count *= d;
  kernel.buffers = {{out, prim::Type::I64, nest::Space::Global, dims, nest::dense_strides(dims)}};
  kernel.body = {
      nest::stmt(nest::For{block.thread, i64(block.threads), nest::Role::Block, {divide(block, out, names)}})};
  RC_ASSERT(nest::verify(kernel).empty());
  std::vector<nest::Memory> memory = {nest::unwritten_memory(prim::Type::I64, count)};
  nest::Outcome outcome = nest::evaluate(kernel, {}, memory);
  RC_ASSERT(!outcome.problem);
  RC_ASSERT(std::ranges::count(memory[0].written, true) == count);
}

nest::Stmt store_one(const Name& out, const Digits& at) { return nest::stmt(nest::Store{out, at, i64(1)}); }

Box any_box() {
  return *rc::gen::nonEmpty(rc::gen::resize(3, rc::gen::container<Box>(rc::gen::inRange<int64_t>(1, 20))));
}

RC_GTEST_PROP(Turns, ByPointsTakeEachPointOnce, ()) {
  Box box = any_box();
  check_each_point_once(box, [&](const TeamOfThreads& team, const Name& out, NameSource& names) {
    return by_points(
        box, team, [&](const Digits& at) { return nest::Block{store_one(out, at)}; }, names);
  });
}

RC_GTEST_PROP(Turns, ByStripsTakeEachPointOnce, ()) {
  Box box = any_box();
  Strips strips = strips_for(box, 64, *rc::gen::inRange<int64_t>(1, 9));
  int64_t& along = box[strips.along];
  along = (along + strips.rows - 1) / strips.rows * strips.rows;
  check_each_point_once(box, [&](const TeamOfThreads& team, const Name& out, NameSource& names) {
    auto strip = [&](const std::function<Digits(const Expr&)>& at) {
      Name row = names.fresh("row");
      nest::Block body = {store_one(out, at(nest::var(row, prim::Type::I64)))};
      return nest::Block{nest::stmt(nest::For{row, i64(strips.rows), nest::Role::Unrolled, std::move(body)})};
    };
    return by_strips(box, strips, team, strip, names);
  });
}

}  // namespace
}  // namespace heddle::lower
