#include "rewrites/nest/delinearize_loops.h"

#include <gtest/gtest.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Block body_of(const std::string& text) {
  return kernel_of("kernel small(n_1: i64, b_2: i64, in_4: global f32[n_1][b_2], out_5: global f32[n_1 * b_2]) {" +
                   text + "}")
      .body;
}

std::string split(const std::string& text, bool not_negative = true) {
  NameSource names(10);
  return to_text(delinearize_loops(body_of(text), names, no_definition, [&](const Expr&) { return not_negative; }));
}

std::string canonical(const std::string& text) { return to_text(body_of(text)); }

const std::string kFlattened = "for q_3 in n_1 * b_2 (serial) { out_5[q_3] := in_4[q_3 / b_2][q_3 % b_2]; }";

TEST(SplitLoops, QuotientsAndRemaindersBecomeIndices) {
  EXPECT_EQ(split(kFlattened), canonical(R"(
    for q_10 in n_1 (serial) {
      for q_11 in b_2 (serial) {
        out_5[b_2 * q_10 + q_11] := in_4[q_10][q_11];
      }
    }
)"));
}

TEST(SplitLoops, OtherLoopsStay) {
  for (const char* text : {"for q_3 in n_1 * b_2 (serial) { out_5[q_3] := in_4[q_3][q_3]; }",
                           "for q_3 in n_1 * b_2 (serial) { out_5[q_3] := in_4[q_3 / b_2][q_3 % n_1]; }",
                           "for q_3 in n_1 (serial) { out_5[q_3] := in_4[q_3 / b_2][0]; }"}) {
    EXPECT_EQ(split(text), canonical(text));
  }
}

TEST(SplitLoops, SizesThatMayBeNegativeStay) {
  // Minus two rows of minus three elements are six elements.
  EXPECT_EQ(split(kFlattened, false), canonical(kFlattened));
}

}  // namespace
}  // namespace heddle::nest
