#include "rewrites/nest/compare.h"

#include <fmt/format.h>

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
Kernel sum_kernel(const std::string& extent, const std::string& place, const char* factor, const char* x = "0.0f32") {
  return matrix_kernel(fmt::format(R"(for i_10 in n_1 (serial) {{
    alloc acc_14: register f32;
    acc_14[] := {};
    for k_12 in {} (serial) {{
      acc_14[] := acc_14[] + in_5[i_10][{}] * {};
    }}
    out_7[i_10][0] := acc_14[] * 3.0f32;
  }})",
                                   x, extent, place, factor));
}

TEST(Compare, SumsInAnyOrder) {
  Names s;
  Kernel sum = sum_kernel("m_2", "k_12", "0.1f32");
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
  Kernel backwards = sum_kernel("m_2", "m_2 - 1 - k_12", "0.1f32");
  EXPECT_TRUE(differs(backwards, Rounding::Same));
  EXPECT_FALSE(differs(backwards, Rounding::InAnyOrder));
  EXPECT_FALSE(differs(sum, Rounding::InAnyOrder));
  for (const Kernel& wrong : {
           sum_kernel("m_2 - 1", "k_12", "0.1f32"),                // one term less
           sum_kernel("m_2 + 1", "min(k_12, m_2 - 1)", "0.1f32"),  // one twice
           sum_kernel("m_2", "max(k_12, 1)", "0.1f32"),            // another one
           sum_kernel("m_2", "k_12", "0.10000001f32"),             // slightly others
           sum_kernel("m_2", "k_12", "0.1f32", "1.0f32"),          // not from 0
       })
    EXPECT_TRUE(differs(wrong, Rounding::InAnyOrder)) << to_text(wrong);
}

}  // namespace
}  // namespace heddle::nest
