// Which elements points read around their own place, for all ways of treating borders.
#include "rewrites/recognize/windows.h"

#include <fmt/format.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::recognize {
namespace {

using namespace nest::examples;  // NOLINT: test vocabulary

// The windows of `in` at points (i, j) of n x m, as text, for the statements of a point; n1 and m1 are n-1 and m-1.
std::string windows(const std::string& statements) {
  nest::Kernel kernel = kernel_of(
      "kernel k(n_1: i64, m_2: i64, n1_20: i64, m1_21: i64, in_5: global i32[n_1][m_2], "
      "out_7: global i32[n_1][m_2]) { for i_10 in n_1 (serial) { for j_11 in m_2 (serial) {" +
      statements + "} } }");
  Names s;
  const auto& rows = std::get<nest::For>(kernel.body[0]->node);
  const auto& columns = std::get<nest::For>(rows.body[0]->node);
  auto less_one = [](const Name& size) {
    return nest::operation(prim::Op(prim::Family::Sub, prim::Type::I64),
                           {nest::var(size, prim::Type::I64), nest::constant(int64_t{1})});
  };
  nest::Facts facts(s.fresh, [&](const Name& name) -> nest::Expr {
    if (name.tag == 20) return less_one(s.n);
    return name.tag == 21 ? less_one(s.m) : nullptr;
  });
  facts.size(s.n);
  facts.size(s.m);
  facts.index(s.i, rows.extent);
  facts.index(s.j, columns.extent);
  auto found = find_windows({{s.i, rows.extent}, {s.j, columns.extent}}, columns.body, {kernel.buffers[0]}, facts);
  if (const auto* why_not = std::get_if<std::string>(&found)) return *why_not;
  std::string text;
  for (const WindowedRead& r : std::get<0>(found)) {
    for (const stencil::Window& w : r.windows) {
      std::string from = w.follows ? fmt::format("{}*{}/{} + ", w.num, *w.follows == 0 ? "i" : "j", w.den) : "";
      text += fmt::format("[{}{}..{}]", from, w.lo, w.hi);
    }
  }
  return text;
}

std::string read(const std::string& row, const std::string& column) {
  return windows("let x_30: i32 = in_5[" + row + "][" + column + "]; out_7[i_10][j_11] := x_30;");
}

TEST(Windows, WithoutBorders) {
  EXPECT_EQ(read("i_10", "j_11"), "[1*i/1 + 0..0][1*j/1 + 0..0]");
  EXPECT_EQ(read("i_10 - 2", "j_11 + 1"), "[1*i/1 + -2..-2][1*j/1 + 1..1]");
  EXPECT_EQ(read("j_11", "i_10"), "[1*j/1 + 0..0][1*i/1 + 0..0]");
  EXPECT_EQ(
      windows("for k_12 in 5 (serial) { let x_30: i32 = in_5[i_10][j_11 + k_12 - 2]; out_7[i_10][j_11] := x_30; }"),
      "[1*i/1 + 0..0][1*j/1 + -2..2]");
}

// What stands for the elements beyond the border is in the window, too.
TEST(Windows, Clamped) {
  EXPECT_EQ(read("max(0, i_10 -% 1)", "j_11"), "[1*i/1 + -1..0][1*j/1 + 0..0]");
  EXPECT_EQ(read("i_10", "min(m1_21, j_11 +% 1)"), "[1*i/1 + 0..0][1*j/1 + 0..1]");
  EXPECT_EQ(read("max(0, min(n1_20, i_10 +% 1))", "max(0, min(m1_21, j_11 -% 2))"), "[1*i/1 + 0..1][1*j/1 + -2..0]");
}

TEST(Windows, Mirrored) {
  EXPECT_EQ(windows("let above_30: i64 = i_10 -% 2; let at_31: i64 = above_30 < 0 ? 0 -% above_30 : above_30;"
                    "let x_32: i32 = in_5[at_31][j_11]; out_7[i_10][j_11] := x_32;"),
            "[1*i/1 + -2..2][1*j/1 + 0..0]");
}

TEST(Windows, Guarded) {
  EXPECT_EQ(windows("if 0 < i_10 { let x_32: i32 = in_5[i_10 - 1][j_11]; out_7[i_10][j_11] := x_32; }"
                    "else { out_7[i_10][j_11] := 0i32; }"),
            "[1*i/1 + -1..-1][1*j/1 + 0..0]");
}

TEST(Windows, Sampled) {
  EXPECT_EQ(read("2 * i_10 + 1", "i_10 / 2"), "[2*i/1 + 1..1][1*i/2 + 0..0]");
  EXPECT_EQ(read("(i_10 + 1) / 2", "4 * j_11 - 3"), "[1*i/2 + 1..1][4*j/1 + -3..-3]");
}

TEST(Windows, OfTheSameElementsForAllPoints) { EXPECT_EQ(read("2", "j_11"), "[2..2][1*j/1 + 0..0]"); }

TEST(Windows, AreNoneWhereElementsAreFarOrUnknown) {
  EXPECT_NE(read("n1_20 - i_10", "j_11").find("not known to lie near"), std::string::npos);
  EXPECT_NE(read("n_1 - 1", "j_11").find("not known to lie near"), std::string::npos);
  EXPECT_NE(read("i_10 + 1000", "j_11").find("not known to lie near"), std::string::npos);
}

}  // namespace
}  // namespace heddle::recognize
