#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "tests/golden/golden.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Family;
using prim::Op;
using prim::Type;

TEST(NestPrinter, Kernels) {
  EXPECT_GOLDEN("ir/nest_printer/copy.nest", to_text(copy()));
  EXPECT_GOLDEN("ir/nest_printer/tiled_matmul.nest", to_text(tiled_matmul()));
  EXPECT_GOLDEN("ir/nest_printer/histogram.nest", to_text(histogram()));
}

TEST(NestPrinter, ParenthesesWhereNeeded) {
  Name xn{"x", 1}, yn{"y", 2}, zn{"z", 3};
  Expr x = v(xn), y = v(yn), z = v(zn);
  auto bits = [](Family f, Expr a, Expr b) { return operation(Op(f, Type::I64), {a, b}); };
  auto neg = [](Expr a) { return operation(Op(Family::Neg, Type::I64), {a}); };
  EXPECT_EQ(to_text(mul(add(x, y), z)), "(x_1 + y_2) * z_3");
  EXPECT_EQ(to_text(add(x, mul(y, z))), "x_1 + y_2 * z_3");
  EXPECT_EQ(to_text(sub(x, sub(y, z))), "x_1 - (y_2 - z_3)");
  EXPECT_EQ(to_text(sub(sub(x, y), z)), "x_1 - y_2 - z_3");
  EXPECT_EQ(to_text(div(x, mul(y, z))), "x_1 / (y_2 * z_3)");
  EXPECT_EQ(to_text(neg(neg(x))), "-(-x_1)");
  EXPECT_EQ(to_text(neg(add(x, y))), "-(x_1 + y_2)");
  EXPECT_EQ(to_text(bits(Family::And, bits(Family::Or, x, y), z)), "(x_1 | y_2) & z_3");
  EXPECT_EQ(to_text(both(less(x, y), negate(less(y, z)))), "x_1 < y_2 && !(y_2 < z_3)");
  EXPECT_EQ(to_text(add(select(less(x, y), x, y), z)), "(x_1 < y_2 ? x_1 : y_2) + z_3");
  EXPECT_EQ(to_text(bits(Family::UDiv, x, y)), "udiv64(x_1, y_2)");
  EXPECT_EQ(to_text(bits(Family::Mul, bits(Family::Add, x, y), z)), "(x_1 +% y_2) *% z_3");
}

TEST(NestTraverse, SubstitutesAndFolds) {
  Name xn{"x", 1}, yn{"y", 2}, buf{"buf", 3}, other{"other", 4};
  Expr e = add(mul(v(xn), v(yn)), load(buf, Type::I64, {v(xn)}));
  Expr by_zero = substitute({{xn, i64(0)}}, e);
  EXPECT_EQ(to_text(by_zero), "buf_3[0]");
  EXPECT_EQ(to_text(substitute({{buf, v(other)}}, e)), "x_1 * y_2 + other_4[x_1]");
  EXPECT_EQ(substitute({{other, i64(1)}}, e), e) << "untouched expressions stay the same nodes";
  EXPECT_EQ(free_names(e), (NameSet{xn, yn, buf}));
}

TEST(NestTraverse, FreeNamesOfBlocks) {
  Kernel k = copy();
  EXPECT_EQ(free_names(k.body), (NameSet{Name{"n", 1}, Name{"in", 2}, Name{"out", 3}}));
}

TEST(NestThreads, LaunchFollowsFromTheLoops) {
  EXPECT_EQ(to_text(num_blocks(matmul())), "max(0, ceil(n_1 / 4)) * max(0, ceil(k_3 / 8))");
  EXPECT_EQ(to_text(block_size(matmul())), "32");
  EXPECT_EQ(to_text(num_blocks(copy())), "ceil(n_1 / 32)");
  Kernel two = copy();
  Name s{"s", 20};
  two.body.push_back(loop(Role::Block, s, i64(48), {}));
  EXPECT_EQ(to_text(block_size(two)), "48");
  EXPECT_TRUE(has_surplus(two, Parallel::Threads));
  EXPECT_FALSE(has_surplus(two, Parallel::Blocks));
}

}  // namespace
}  // namespace heddle::nest
