// Sums of which factors are taken out.
#include "rewrites/nest/factor_sums.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Block body_of(const std::string& type, const std::string& statements) {
  return kernel_of(
             fmt::format("kernel small(n_1: i64, y_2: i64, a_3: global {0}[n_1], b_4: global {0}[n_1]) {{\n{1}\n}}\n",
                         type, statements))
      .body;
}

// Two loops, of which the inner one does this and then stores what it has as x_9.
std::string sums(const std::string& type, const std::string& zero, const std::string& inner) {
  return fmt::format(
      "alloc s_5: register {0};\ns_5[] := {1};\n"
      "for i_6 in 5 (serial) {{\n  for j_7 in 5 (serial) {{\n    let t_8: {0} = s_5[];\n{2}    s_5[] := x_9;\n  "
      "}}\n}}\n"
      "b_4[y_2] := s_5[];\n",
      type, zero, inner);
}

std::string factored(const std::string& type, const std::string& statements) {
  NameSource names(20);
  return to_text(factor_sums(body_of(type, statements), names));
}

TEST(FactorSums, OfProductsInMoreBits) {
  EXPECT_EQ(factored("i16", sums("i16", "0i16",
                                 "    let w_10: i64 = i_6 *% (j_7 + 1);\n    let v_11: i16 = zext_i64_i16(w_10);\n"
                                 "    let e_12: i16 = a_3[y_2 + i_6 + j_7];\n    let p_13: i16 = v_11 *% e_12;\n"
                                 "    let x_9: i16 = t_8 +% p_13;\n")),
            to_text(body_of("i16",
                            "alloc s_5: register i16;\ns_5[] := 0i16;\n"
                            "for i_6 in 5 (serial) {\n"
                            "  alloc sum_20: register i16;\n  sum_20[] := 0i16;\n"
                            "  for j_7 in 5 (serial) {\n"
                            "    let e_12: i16 = a_3[y_2 + i_6 + j_7];\n"
                            "    sum_20[] := sum_20[] +% zext_i64_i16(j_7 + 1) *% e_12;\n"
                            "  }\n"
                            "  s_5[] := s_5[] +% zext_i64_i16(i_6) *% sum_20[];\n"
                            "}\n"
                            "b_4[y_2] := s_5[];\n")));
}

TEST(FactorSums, StayWhereNothingIsInCommonOrMoreIsDoneWithThem) {
  const std::string element = "    let e_12: i64 = a_3[y_2 + i_6 + j_7];\n";
  for (const std::string& inner : {
           // No factor of the loop around; none of the loop itself; a sum; a difference; no overflow is promised.
           element + "    let x_9: i64 = t_8 +% (j_7 + 1) *% e_12;\n",
           element + "    let x_9: i64 = t_8 +% n_1 *% e_12;\n",
           element + "    let x_9: i64 = t_8 +% (i_6 +% e_12);\n",
           element + "    let x_9: i64 = t_8 -% i_6 *% e_12;\n",
           element + "    let x_9: i64 = t_8 + i_6 * e_12;\n",
           // What is in common may fail where there is no term; the sum so far is used otherwise.
           element + "    let x_9: i64 = t_8 +% n_1 / i_6 *% e_12;\n",
           element + "    let p_13: i64 = i_6 *% e_12;\n    let x_9: i64 = t_8 +% p_13 *% t_8;\n",
           element + "    let x_9: i64 = t_8 +% i_6 *% e_12;\n    b_4[j_7] := x_9;\n",
       }) {
    const std::string text = sums("i64", "0", inner);
    EXPECT_EQ(factored("i64", text), to_text(body_of("i64", text)));
  }
}

TEST(FactorSums, OfFloatsStay) {
  const std::string text =
      sums("f32", "0f32", "    let v_11: f32 = sitofp_i64_f32(i_6);\n    let x_9: f32 = t_8 + v_11 * a_3[j_7];\n");
  EXPECT_EQ(factored("f32", text), to_text(body_of("f32", text)));
}

}  // namespace
}  // namespace heddle::nest
