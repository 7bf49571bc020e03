// Which loops are written out for the arrays of a thread.
#include "rewrites/nest/keep_in_registers.h"

#include <fmt/format.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// The indices of unrolled loops, in the order of the text.
std::string unrolled(const Kernel& k) {
  std::string names;
  for_each_stmt(keep_in_registers(k.body), [&](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s->node);
    if (loop && loop->role == Role::Unrolled) names += loop->index.base + " ";
  });
  return names;
}

Kernel with_body(int elems, const std::string& body) {
  return kernel_of(fmt::format(R"(kernel small(n_9: i64, in_5: global f32[600], out_7: global f32[600]) {{
  for t_1 in 8 (block) {{
    alloc a_20: register f32[{}];
    {}
  }}
}}
)",
                               elems, body));
}

// Each element is what it was less the sum of those before it.
std::string triangle(int elems) {
  return fmt::format(R"(
    for i_30 in {0} (serial) {{ a_20[i_30] := in_5[8*i_30 + t_1]; }}
    for j_31 in {0} (serial) {{
      alloc sum_40: register f32;
      sum_40[] := 0f32;
      for k_32 in j_31 (serial) {{
        let before_41: f32 = sum_40[];
        sum_40[] := before_41 + a_20[k_32];
      }}
      let all_42: f32 = sum_40[];
      let last_43: i64 = j_31 + 0;
      a_20[last_43] := a_20[j_31] - all_42;
    }}
    for l_33 in {0} (serial) {{ out_7[8*l_33 + t_1] := a_20[l_33]; }})",
                     elems);
}

TEST(KeepInRegisters, UnrollsLoopsOfWhichTheLengthDependsOnOthers) {
  Kernel before = with_body(32, triangle(32)), after = before;
  EXPECT_EQ(unrolled(before), "i j k l ");
  after.body = keep_in_registers(before.body);
  expect_same(before, after, {{Name{"n", 9}, 1}});
}

TEST(KeepInRegisters, LeavesWhatWouldBecomeTooLong) {
  EXPECT_EQ(unrolled(with_body(70, triangle(70))), "");
  EXPECT_EQ(unrolled(with_body(200, "for i_30 in 200 (serial) { a_20[i_30] := 1f32; }")), "");
}

// What is the same in each round of a loop around is moved before it, and kept in registers, too.
TEST(KeepInRegisters, UnrollsLessWithinALoop) {
  auto within = [](int elems) { return "for r_50 in n_9 (serial) {" + triangle(elems) + "}"; };
  EXPECT_EQ(unrolled(with_body(8, within(8))), "i j k l ");
  EXPECT_EQ(unrolled(with_body(32, within(32))), "");
}

TEST(KeepInRegisters, LeavesArraysWithAnIndexThatIsNotKnown) {
  const std::string fill = "for i_30 in 4 (serial) { a_20[i_30] := 1f32; }";
  EXPECT_EQ(unrolled(with_body(4, fill)), "i ");
  EXPECT_EQ(unrolled(with_body(4, fill + "out_7[t_1] := a_20[t_1 % 4];")), "");
  EXPECT_EQ(unrolled(with_body(4, fill + "for k_31 in n_9 (serial) { out_7[t_1] := a_20[k_31 % 4]; }")), "");
}

// No index of an array depends on it.
TEST(KeepInRegisters, LeavesOtherLoops) {
  EXPECT_EQ(unrolled(with_body(4, R"(
    for r_50 in 3 (serial) {
      for i_30 in 4 (serial) { a_20[i_30] := in_5[t_1 + r_50]; }
    })")),
            "i ");
}

}  // namespace
}  // namespace heddle::nest
