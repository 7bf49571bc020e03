// Which pairs of comparisons become one.
#include "rewrites/nest/bounds_at_once.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

std::string rewritten(const std::string& statements) {
  const Kernel kernel = kernel_of(
      "kernel small(n_1: i64, m_2: i64, in_3: global i64[n_1][4], out_4: global bool[1]) {\n" + statements + "\n}\n");
  return to_text(bounds_at_once(kernel));
}

TEST(BoundsAtOnce, OfPlacesInArrays) {
  const std::string place = "let i_5: i64 = in_3[0][1];\n";
  const std::string names = place + "let x_6: bool = 0 <= i_5;\nlet y_7: bool = i_5 < n_1;\n";
  EXPECT_NE(rewritten(names + "out_4[0] := x_6 && y_7;").find("out_4[0] := ult64(i_5, n_1)"), std::string::npos);
  EXPECT_NE(rewritten(names + "out_4[0] := y_7 && x_6;").find("out_4[0] := ult64(i_5, n_1)"), std::string::npos);
  EXPECT_NE(rewritten(place + "out_4[0] := 0 <= i_5 && i_5 < 4;").find("out_4[0] := ult64(i_5, 4)"), std::string::npos);
}

TEST(BoundsAtOnce, NotOfWhatMayBeNegative) {
  for (const std::string other : {
           "out_4[0] := 0 <= i_5 && i_5 < m_2;",                // no size
           "out_4[0] := 0 <= i_5 && i_5 < -4;",                 //
           "out_4[0] := 1 <= i_5 && i_5 < n_1;",                // another end
           "out_4[0] := 0 <= i_5 && m_2 < n_1;",                // another place
           "out_4[0] := 0 <= i_5 && i_5 <= n_1;",               //
           "out_4[0] := 0 < i_5 && i_5 < n_1;",                 //
           "out_4[0] := 0 <= in_3[0][1] && in_3[0][1] < n_1;",  // read twice
       }) {
    EXPECT_EQ(rewritten("let i_5: i64 = in_3[0][1];\n" + other).find("ult"), std::string::npos) << other;
  }
}

}  // namespace
}  // namespace heddle::nest
