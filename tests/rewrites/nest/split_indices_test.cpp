// How places of elements are written in unrolled loops.
#include "rewrites/nest/split_indices.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Block body_of(const std::string& statements) {
  return kernel_of(
             R"(kernel small(n_1: i64, r_2: i64, a_3: global f32[n_1], b_4: global f32[n_1], at_5: global i64[n_1]) {
)" + statements +
             "}\n")
      .body;
}

std::string split(const std::string& statements) { return to_text(split_indices(body_of(statements), Name{"r", 2})); }

std::string written(const std::string& statements) { return to_text(body_of(statements)); }

TEST(SplitIndices, WhatTheRoundAddsComesLast) {
  EXPECT_EQ(split("let y_6: i64 = n_1 + r_2; b_4[y_6 * 3 + 1] := a_3[2 * (y_6 - 4)] + a_3[y_6];"),
            written("let y_6: i64 = n_1 + r_2;"
                    "b_4[n_1 * 3 + (1 + r_2 * 3)] := a_3[n_1 * 2 + (-8 + r_2 * 2)] + a_3[n_1 + r_2];"));
}

TEST(SplitIndices, WhatAlsoStandsForTheFirstElementGoes) {
  EXPECT_EQ(split("let y_6: i64 = n_1 + r_2; b_4[y_6 - n_1] := 1f32;"),
            written("let y_6: i64 = n_1 + r_2; b_4[r_2] := 1f32;"));
}

TEST(SplitIndices, WithinPlacesOfElements) {
  EXPECT_EQ(split("b_4[n_1] := a_3[at_5[r_2 + (n_1 + 1)]];"), written("b_4[n_1] := a_3[at_5[n_1 + (1 + r_2)]];"));
}

TEST(SplitIndices, OthersStay) {
  for (const std::string text : {"b_4[n_1 * 2 + 1] := 1f32;", "b_4[r_2 * n_1] := 1f32;", "b_4[r_2 * r_2] := 1f32;",
                                 "b_4[max(r_2, 0)] := a_3[min(r_2 + 1, n_1)];"})
    EXPECT_EQ(split(text), written(text));
}

}  // namespace
}  // namespace heddle::nest
