// Divisions of several points that are done when all else is.
#include "rewrites/nest/divisions_last.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// A thread's four points, and what becomes of them.
Kernel points_of(const std::string& loop) {
  return kernel_of(fmt::format(
      "kernel small(n_1: i64, a_2: global f32[n_1 + 4], b_3: global f32[n_1 + 4], out_4: global f32[n_1 + 4]) {{\n"
      "  alloc v_5: register f32[4];\n{}\n"
      "  for k_6 in 4 (unrolled) {{ out_4[k_6] := v_5[k_6]; }}\n}}\n",
      loop));
}

Kernel after(const Kernel& before) {
  NameSource names(30);
  Kernel k = before;
  const Block done = divisions_last(before.body[1], {std::get<Alloc>(before.body[0]->node).buffer}, names);
  k.body = {before.body[0]};
  k.body.insert(k.body.end(), done.begin(), done.end());
  k.body.push_back(before.body[2]);
  return k;
}

TEST(DivisionsLast, OfAllPoints) {
  const Kernel before = points_of(
      "for r_7 in 4 (unrolled) { let x_8: f32 = a_2[r_7]; let y_9: f32 = b_3[r_7]; let z_10: f32 = x_8 / y_9; v_5[r_7] "
      ":= z_10; }");
  const Kernel wanted = points_of(
      "alloc dividend_30: register f32[4]; alloc divisor_31: register f32[4];\n"
      "for r_7 in 4 (unrolled) { let x_8: f32 = a_2[r_7]; let y_9: f32 = b_3[r_7]; let z_10: f32 = x_8 / y_9;\n"
      "  dividend_30[r_7] := x_8; divisor_31[r_7] := y_9; }\n"
      "for point_32 in 4 (unrolled) { v_5[point_32] := dividend_30[point_32] / divisor_31[point_32]; }");
  EXPECT_EQ(to_text(after(before)), to_text(wanted));
  expect_same(before, after(before), {{Name{"n", 1}, 3}});
}

TEST(DivisionsLast, StayWhereAPointIsMoreThanAQuotient) {
  for (const char* stored : {
           "let z_10: f32 = x_8 / y_9 + 1f32; v_5[r_7] := z_10;",                      // a sum
           "let z_10: f32 = x_8 / 3f32; v_5[r_7] := z_10;",                            // a product with 1/3
           "v_5[r_7] := x_8 / b_3[r_7];",                                              // of an element that may change
           "if x_8 < y_9 { v_5[r_7] := x_8 / y_9; } else { v_5[r_7] := 0f32; }",       // in a branch
           "v_5[r_7] := x_8 / y_9; v_5[r_7] := v_5[r_7] / x_8;",                       // of a quotient
           "for j_11 in 2 (serial) { let z_10: f32 = x_8 / y_9; v_5[r_7] := z_10; }",  // again and again
       }) {
    const Kernel before = points_of(
        fmt::format("for r_7 in 4 (unrolled) {{ let x_8: f32 = a_2[r_7]; let y_9: f32 = b_3[r_7]; {} }}", stored));
    EXPECT_EQ(to_text(after(before)), to_text(before));
  }
}

TEST(DivisionsLast, OnePointHasNobodyToWaitForIt) {
  NameSource names(30);
  const Kernel k = kernel_of(
      "kernel small(a_2: global f32[4]) {\n  alloc v_5: register f32[1];\n"
      "  for r_7 in 1 (unrolled) { let x_8: f32 = a_2[0]; let z_9: f32 = 1f32 / x_8; v_5[r_7] := z_9; }\n  a_2[1] := "
      "v_5[0];\n}\n");
  EXPECT_EQ(to_text(divisions_last(k.body[1], {std::get<Alloc>(k.body[0]->node).buffer}, names)),
            to_text(Block{k.body[1]}));
}

}  // namespace
}  // namespace heddle::nest
