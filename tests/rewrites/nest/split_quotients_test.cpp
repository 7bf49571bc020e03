// Quotients and remainders of sums of which a part is a multiple of the divisor.
#include "rewrites/nest/split_quotients.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// In a grid of tiles of 32 elements, of each of which a thread has 4 rows.
Kernel tiles_of(const std::string& statements) {
  return kernel_of(fmt::format(
      "kernel small(n_1: i64, k_2: i64, a_3: global i64[n_1], b_4: global i64[n_1]) {{\n"
      "  for t_5 in (n_1 + 31) / 32 (grid) {{\n    for d_6 in 8 (block) {{\n      for r_7 in 4 (unrolled) {{\n"
      "        let first_8: i64 = t_5 * 32;\n        let y_9: i64 = first_8 + (d_6 * 4 + r_7);\n{}\n      }}\n    }}\n "
      " }}\n}}\n",
      statements));
}

void expect_becomes(const std::string& before, const std::string& after) {
  const Kernel k = tiles_of(before), wanted = tiles_of(after);
  EXPECT_EQ(to_text(split_quotients(k.body)), to_text(wanted.body));
}

void expect_stays(const std::string& text) { expect_becomes(text, text); }

TEST(SplitQuotients, TheTilesPartByItself) {
  expect_becomes("b_4[y_9] := y_9 / 8;", "b_4[y_9] := first_8 / 8 + (d_6 * 4 + r_7) / 8;");
  expect_becomes("b_4[y_9] := y_9 % 8;", "b_4[y_9] := (d_6 * 4 + r_7) % 8;");
  expect_becomes("let z_10: i64 = y_9 +% 1;\n b_4[y_9] := z_10 / 2;",
                 "let z_10: i64 = y_9 +% 1;\n b_4[y_9] := (first_8 + d_6 * 4) / 2 + (r_7 + 1) / 2;");
  expect_becomes("b_4[y_9] := (r_7 - first_8) / 32;", "b_4[y_9] := (0 - first_8) / 32 + r_7 / 32;");
}

TEST(SplitQuotients, OfQuotientsThatAreMultiples) {
  expect_becomes("let z_10: i64 = first_8 / 8;\n let w_11: i64 = z_10 + d_6;\n b_4[y_9] := w_11 / 4;",
                 "let z_10: i64 = first_8 / 8;\n let w_11: i64 = z_10 + d_6;\n b_4[y_9] := z_10 / 4 + d_6 / 4;");
}

TEST(SplitQuotients, NothingIsSplitWithoutAMultipleOrARest) {
  expect_stays("b_4[y_9] := first_8 / 8;");
  expect_stays("b_4[y_9] := (d_6 + r_7) / 8;");
  expect_stays("b_4[y_9] := y_9 / 5;");
  expect_stays("b_4[y_9] := (t_5 * 32 + r_7) / k_2;");
}

TEST(SplitQuotients, SumsThatMayOverflowStay) {
  expect_stays("b_4[y_9] := (k_2 *% 8 +% r_7) / 8;");
  expect_stays("let z_10: i64 = a_3[y_9] *% 8;\n b_4[y_9] := (z_10 + r_7) / 8;");
}

TEST(SplitQuotients, ElementsAreReadWhereTheyStand) {
  expect_stays("let z_10: i64 = first_8 + a_3[y_9] % 4;\n b_4[y_9] := 1;\n b_4[y_9] := z_10 / 8;");
}

TEST(SplitQuotients, ComputeTheSame) {
  for (const std::string text : {"b_4[y_9] := y_9 / 8;", "b_4[y_9] := y_9 % 8;", "b_4[y_9] := (y_9 - 77) / 8;",
                                 "b_4[y_9] := (y_9 - 77) % 16;", "b_4[y_9] := (y_9 + 1) / 2 + (3 - y_9) / 4;"}) {
    const Kernel before = tiles_of("if y_9 < n_1 {" + text + "}");
    Kernel after = before;
    after.body = split_quotients(before.body);
    EXPECT_NE(to_text(after.body), to_text(before.body));
    for (int64_t n : {1, 31, 32, 100}) expect_same(before, after, {{Name{"n", 1}, n}, {Name{"k", 2}, 3}});
  }
}

}  // namespace
}  // namespace heddle::nest
