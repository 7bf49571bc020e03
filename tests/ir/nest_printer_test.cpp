#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Family;
using prim::Op;
using prim::Type;

TEST(NestPrinter, Copy) {
  EXPECT_EQ(to_text(copy()), R"(kernel copy(
    n_1: i64,
    in_2: global f32[n_1],
    out_3: global f32[n_1]) {
  for b_4 in ceil(n_1 / 32) (grid) {
    for t_5 in 32 (block) {
      let i_6: i64 = b_4 * 32 + t_5;
      if i_6 < n_1 {
        out_3[i_6] := in_2[i_6];
      }
    }
  }
}
)");
}

TEST(NestPrinter, TiledMatmul) {
  EXPECT_EQ(to_text(tiled_matmul()), R"(kernel tiled_matmul(
    n_1: i64,
    m_2: i64,
    k_3: i64,
    a_4: global f32[n_1][m_2],
    b_5: global f32[m_2][k_3],
    c_6: global f32[n_1][k_3]) {
  for by_7 in n_1 / 4 (grid) {
    for bx_8 in k_3 / 4 (grid) {
      alloc ta_15: shared f32[4][4];
      alloc tb_16: shared f32[4][4];
      for ty_9 in 4 (block) {
        for tx_10 in 4 (block) {
          let i_11: i64 = by_7 * 4 + ty_9;
          let j_12: i64 = bx_8 * 4 + tx_10;
          alloc acc_14: register f32;
          acc_14[] := 0.0f32;
          for r_13 in m_2 / 4 (serial) {
            ta_15[ty_9][tx_10] := a_4[i_11][r_13 * 4 + tx_10];
            tb_16[ty_9][tx_10] := b_5[r_13 * 4 + ty_9][j_12];
            barrier;
            for s_17 in 4 (unrolled) {
              acc_14[] := acc_14[] + ta_15[ty_9][s_17] * tb_16[s_17][tx_10];
            }
            barrier;
          }
          c_6[i_11][j_12] := acc_14[];
        }
      }
    }
  }
}
)");
}

TEST(NestPrinter, OtherStatements) {
  Name h{"h", 1}, old{"old", 2}, x{"x", 3}, y{"y", 4};
  Expr o = var(old, Type::I32);
  Block block = {
      stmt(AtomicUpdate{h, {i64(0)}, old, {}, o}),
      stmt(AtomicUpdate{h, {}, old, {let(x, i64(1))}, o}),
      stmt(While{constant(prim::Value::of_bool(true)), {barrier(Scope::Warp)}}),
      stmt(If{less(v(x), i64(-1)), {stmt(Fail{3, {v(x), f32(0.5)}})}, {stmt(Fail{4, {}})}}),
      stmt(Alloc{Buffer{y, Type::F64, Space::Register, {i64(2), i64(3)}, {i64(1), i64(2)}}}),
  };
  EXPECT_EQ(to_text(block), R"(atomic h_1[0] as old_2 := old_2;
atomic h_1[] as old_2 {
  let x_3: i64 = 1;
} := old_2;
while true {
  barrier (warp);
}
if x_3 < -1 {
  fail 3(x_3, 0.5f32);
} else {
  fail 4();
}
alloc y_4: register f64[2][3] strides (1, 2);
)");
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
