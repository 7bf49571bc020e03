#include "rewrites/nest/compare.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

std::string compared(const Kernel& a, const Kernel& b, const Names& s, int64_t n) {
  Expected expected(a, {{s.n, prim::Value::i64(n)}, {s.tile, prim::Value::i64(1)}, {s.points, prim::Value::i64(1)}});
  return expected.problem() ? "before: " + *expected.problem() : expected.difference(b);
}

TEST(Compare, FindsWhatDiffers) {
  Names s;
  auto filled = [](const std::string& index, const std::string& value) {
    return vector_kernel("for i_10 in n_1 (serial) { out_7[" + index + "] := " + value + "; }");
  };
  Kernel ones = filled("i_10", "1.0f32"), beyond = filled("i_10 + 1", "1.0f32");
  EXPECT_EQ(compared(ones, ones, s, 4), "");
  EXPECT_EQ(compared(ones, filled("i_10", "2.0f32"), s, 4), "element 0 of out_7 is 2.0f32 instead of 1.0f32");
  EXPECT_EQ(compared(ones, filled("1", "1.0f32"), s, 4), "element 0 of out_7 is nothing instead of 1.0f32");
  EXPECT_EQ(compared(ones, filled("1", "1.0f32"), s, 0), "");
  EXPECT_NE(compared(ones, beyond, s, 4).find("out_7"), std::string::npos);
  EXPECT_EQ(compared(beyond, ones, s, 4).substr(0, 7), "before:");
  Kernel ill_formed = ones;
  ill_formed.body = {store(s.out, {v(s.j)}, f32(1))};
  EXPECT_EQ(compared(ones, ill_formed, s, 4), "no variable j_11 is in scope, at `out_7[j_11] := 1.0f32;`");
}

// out[i][0] = 3 * (x + sum over k < extent of in[i][place] * factor)
Kernel sum_kernel(const Names& s, Expr extent, Expr place, float factor, float x = 0) {
  Expr term = fmul(at(s.in, {v(s.i), std::move(place)}), f32(factor));
  return matrix_kernel(s, {stmt(Alloc{buffer(s.acc, prim::Type::F32, Space::Register, {})}), store(s.acc, {}, f32(x)),
                           loop(Role::Serial, s.k, std::move(extent), {store(s.acc, {}, fadd(at(s.acc, {}), term))}),
                           store(s.out, {v(s.i), i64(0)}, fmul(at(s.acc, {}), f32(3)))});
}

TEST(Compare, SumsInAnyOrder) {
  Names s;
  Kernel sum = sum_kernel(s, v(s.m), v(s.k), 0.1F);
  auto differs = [&](const Kernel& other, Rounding rounding) {
    Expected expected(sum,
                      {{s.n, prim::Value::i64(4)},
                       {s.m, prim::Value::i64(11)},
                       {s.tile, prim::Value::i64(1)},
                       {s.points, prim::Value::i64(1)}},
                      rounding);
    EXPECT_EQ(expected.problem(), std::nullopt);
    return !expected.difference(other).empty();
  };
  Expr last = sub(v(s.m), i64(1));
  Kernel backwards = sum_kernel(s, v(s.m), sub(last, v(s.k)), 0.1F);
  EXPECT_TRUE(differs(backwards, Rounding::Same));
  EXPECT_FALSE(differs(backwards, Rounding::InAnyOrder));
  EXPECT_FALSE(differs(sum, Rounding::InAnyOrder));
  for (const Kernel& wrong : {
           sum_kernel(s, last, v(s.k), 0.1F),                            // one term less
           sum_kernel(s, add(v(s.m), i64(1)), min(v(s.k), last), 0.1F),  // one twice
           sum_kernel(s, v(s.m), max(v(s.k), i64(1)), 0.1F),             // another one
           sum_kernel(s, v(s.m), v(s.k), 0.10000001F),                   // slightly others
           sum_kernel(s, v(s.m), v(s.k), 0.1F, 1),                       // not from 0
       })
    EXPECT_TRUE(differs(wrong, Rounding::InAnyOrder)) << to_text(wrong);
}

}  // namespace
}  // namespace heddle::nest
