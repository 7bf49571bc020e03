#include "rewrites/nest/compare.h"

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

}  // namespace
}  // namespace heddle::nest
