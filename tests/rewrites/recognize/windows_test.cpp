// Which elements points read around their own place, for all ways of treating borders.
#include "rewrites/recognize/windows.h"

#include <fmt/format.h>

#include "tests/rewrites/recognize/points.h"

namespace heddle::recognize {
namespace {

using namespace nest::examples;  // NOLINT: test vocabulary

// The windows of what a point reads, as text, for its statements.
std::string windows(const std::string& statements) {
  Reads found;
  look_at_point(statements, [&](LookedAt& point, nest::Facts& facts) {
    found = find_windows(point.indices, point.work, point.read, facts);
  });
  std::string text;
  for (const WindowedRead& r : found.windowed) {
    for (const stencil::Window& w : r.windows) {
      std::string from = w.follows ? fmt::format("{}*{}/{} + ", w.num, *w.follows == 0 ? "i" : "j", w.den) : "";
      text += fmt::format("[{}{}..{}{}]", from, w.lo, w.hi, w.border == stencil::Border::Wrap ? " wrapped" : "");
    }
  }
  for (const OtherRead& r : found.others) text += r.why;
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
  EXPECT_EQ(read("min(n1_20, max(0, i_10 -% 1))", "min(m1_21, max(0, j_11 +% 2))"), "[1*i/1 + -1..0][1*j/1 + 0..2]");
}

TEST(Windows, Mirrored) {
  EXPECT_EQ(windows("let above_30: i64 = i_10 -% 2; let at_31: i64 = above_30 < 0 ? 0 -% above_30 : above_30;"
                    "let x_32: i32 = in_5[at_31][j_11]; out_7[i_10][j_11] := x_32;"),
            "[1*i/1 + -2..2][1*j/1 + 0..0]");
}

// The index is that of the element before it is wrapped.
TEST(Windows, Wrapped) {
  EXPECT_EQ(read("(i_10 +% 1) % n_1", "j_11"), "[1*i/1 + 1..1 wrapped][1*j/1 + 0..0]");
  EXPECT_EQ(read("(i_10 -% 1 +% n_1) % n_1", "(j_11 +% 2) % m_2"), "[1*i/1 + -1..-1 wrapped][1*j/1 + 2..2 wrapped]");
  EXPECT_EQ(windows("let at_31: i64 = i_10 == n1_20 ? 0 : i_10 +% 1;"
                    "let x_32: i32 = in_5[at_31][j_11]; out_7[i_10][j_11] := x_32;"),
            "[1*i/1 + 1..1 wrapped][1*j/1 + 0..0]");
  EXPECT_EQ(windows("let left_30: i64 = j_11 -% 3; let at_31: i64 = left_30 < 0 ? left_30 +% m_2 : left_30;"
                    "let x_32: i32 = in_5[i_10][at_31]; out_7[i_10][j_11] := x_32;"),
            "[1*i/1 + 0..0][1*j/1 + -3..-3 wrapped]");
}

TEST(Windows, GuardedWithAConstantElse) {
  EXPECT_EQ(windows("let above_30: i64 = i_10 -% 1; let inside_31: bool = 0 <= above_30;"
                    "let x_32: i32 = inside_31 ? in_5[above_30][j_11] : 0i32; out_7[i_10][j_11] := x_32;"),
            "[1*i/1 + -1..-1][1*j/1 + 0..0]");
}

// How far the data have it read, but not where.
TEST(Windows, ChosenByData) {
  EXPECT_EQ(windows("alloc by_40: register i64;"
                    "let x_30: i32 = in_5[i_10][j_11];"
                    "if x_30 < 5i32 { by_40[] := 1; } else { if x_30 < 7i32 { by_40[] := 0; } else { by_40[] := -1; } }"
                    "let t_31: i64 = by_40[];"
                    "let y_32: i32 = in_5[i_10][max(0, min(m1_21, j_11 +% t_31))];"
                    "out_7[i_10][j_11] := y_32;"),
            "[1*i/1 + 0..0][1*j/1 + -1..1]");
}

TEST(Windows, OfChannels) {
  EXPECT_EQ(windows("let x_30: i32 = rgb_6[i_10][j_11 - 1][0]; let y_31: i32 = rgb_6[i_10][j_11][2];"
                    "out_7[i_10][j_11] := x_30 + y_31;"),
            "[1*i/1 + 0..0][1*j/1 + -1..0][0..2]");
  EXPECT_EQ(windows("for c_12 in 3 (serial) { let x_30: i32 = rgb_6[i_10][j_11][c_12]; out_7[i_10][j_11] := x_30; }"),
            "[1*i/1 + 0..0][1*j/1 + 0..0][0..2]");
  // All of them, where it follows an index here and is an element there.
  EXPECT_EQ(windows("let c_30: i64 = min(j_11, 2); let x_31: i32 = rgb_6[i_10][j_11][c_30];"
                    "let y_32: i32 = rgb_6[i_10][j_11][1]; out_7[i_10][j_11] := x_31 + y_32;"),
            "[1*i/1 + 0..0][1*j/1 + 0..0][0..2]");
}

TEST(Windows, ThatLieElsewhereAsAWhole) {
  EXPECT_EQ(read("i_10 + 1000", "j_11 - 255"), "[1*i/1 + 1000..1000][1*j/1 + -255..-255]");
}

TEST(Windows, AreNoneOfATable) {
  EXPECT_NE(windows("let x_30: i32 = in_5[i_10][j_11]; let at_31: i64 = sext_i32_i64(x_30);"
                    "let y_32: i32 = in_5[max(0, min(n1_20, at_31))][j_11]; out_7[i_10][j_11] := y_32;")
                .find("not known to lie near"),
            std::string::npos);
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
  EXPECT_NE(windows("let x_30: i32 = in_5[i_10][j_11]; let y_31: i32 = in_5[j_11][i_10]; out_7[i_10][j_11] := x_30;")
                .find("different indices"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::recognize
