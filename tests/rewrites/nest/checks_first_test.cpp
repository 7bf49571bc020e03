// Where checks go, and what they do not pass.
#include "rewrites/nest/checks_first.h"

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Block body_of(const std::string& statements) {
  return kernel_of(
             R"(kernel small(n_1: i64, i_3: i64, at_2: global i64[n_1], in_7: global f32[n_1], out_8: global f32[n_1]) {
)" + statements +
             "}\n")
      .body;
}

void expect_becomes(const std::string& before, const std::string& after) {
  EXPECT_EQ(to_text(checks_first(body_of(before))), to_text(body_of(after)));
}

const std::string kAt = "let x_10: i64 = at_2[i_3];", kCheckX = "if n_1 <= x_10 { fail 0(x_10); }",
                  kY = "let y_11: f32 = in_7[x_10];", kZ = "let z_12: i64 = x_10 + 1;",
                  kCheckZ = "if n_1 <= z_12 { fail 1(); }", kStore = "out_8[i_3] := y_11 + in_7[z_12];";

TEST(ChecksFirst, BeforeWhatTheyDoNotAskFor) {
  expect_becomes(kAt + kCheckX + kY + kZ + kCheckZ + kStore, kAt + kCheckX + kZ + kCheckZ + kY + kStore);
}

TEST(ChecksFirst, WithAllThatTheyAskFor) {
  const std::string w = "let w_13: i64 = at_2[z_12];", check = "if n_1 <= w_13 { fail 2(); }";
  expect_becomes(kAt + kY + kZ + w + check + kStore, kAt + kZ + w + check + kY + kStore);
}

TEST(ChecksFirst, NotBeforeOtherStatements) {
  const std::string store = "out_8[i_3] := y_11;";
  const std::string before = kAt + kY + store + kZ + kCheckZ;
  expect_becomes(before, before);
}

TEST(ChecksFirst, NotFromBranchesThatDoMore) {
  const std::string before = kAt + kY + "if n_1 <= x_10 { out_8[i_3] := y_11; fail 0(x_10); }";
  expect_becomes(before, before);
}

TEST(ChecksFirst, InLoops) {
  auto loop = [](const std::string& body) { return "for k_20 in n_1 (serial) {" + body + "}"; };
  expect_becomes(loop(kAt + kY + kZ + kCheckZ + kStore), loop(kAt + kZ + kCheckZ + kY + kStore));
}

}  // namespace
}  // namespace heddle::nest
