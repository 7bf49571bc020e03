// Which loops read what several of their steps need at a time.
#include "rewrites/nest/read_ahead.h"

#include <fmt/format.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Kernel of_loop(const std::string& body) { return vector_kernel(fmt::format("for t_13 in 1 (block) {{\n{}\n}}", body)); }

// How many steps are read ahead, after comparing what is computed; 0 where none are.
int64_t steps_ahead(const std::string& body) {
  Kernel before = of_loop(body);
  NameSource names(1000);
  Kernel after = read_ahead(before, names);
  for (int64_t n : {0, 1, 3, 4, 15, 16, 17, 40})
    expect_same(before, after, {{Name{"n", 1}, n}, {Name{"T", 3}, 1}, {Name{"R", 4}, 1}});
  int64_t steps = 0;
  for_each_stmt(after.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s->node);
    if (loop && loop->role == Role::Unrolled) steps = int_constant(loop->extent).value_or(0);
  });
  return steps;
}

TEST(ReadAhead, ReadsAsManyStepsAsThereAreRegistersFor) {
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { out_7[i_10] := in_5[i_10] * 2f32; }"), 16);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { out_7[i_10] := in_5[i_10] * in_5[n_1 - 1 - i_10]; }"), 8);
  EXPECT_EQ(
      steps_ahead("for i_10 in n_1 (serial) { out_7[i_10] := in_5[i_10] * in_5[n_1 - 1 - i_10] + both_8[i_10]; }"), 4);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 - 3 (serial) { out_7[i_10] := in_5[i_10] * 2f32; }"), 16);
}

// What is overwritten by the step that reads it, or has been by a step before it.
TEST(ReadAhead, ReadsWhatNoStepBetweenWrites) {
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { both_8[i_10] := both_8[i_10] * 2f32; }"), 16);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { both_8[i_10] := both_8[i_10 + 1] * 2f32; }"), 16);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { both_8[i_10 + 1] := both_8[i_10] * 2f32; }"), 0);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { both_8[n_1 - i_10] := both_8[i_10] * 2f32; }"), 0);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 - 20 (serial) { both_8[i_10 + 20] := both_8[i_10] * 2f32; }"), 16);
}

// What a step reads behind its own store is what it has stored.
TEST(ReadAhead, ReadsNothingAheadThatTheStepItselfStores) {
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { both_8[i_10] := 2f32; out_7[i_10] := both_8[i_10]; }"), 0);
  EXPECT_EQ(steps_ahead(R"(for i_10 in n_1 (serial) {
    if i_10 % 3 < 1 { both_8[i_10] := 2f32; }
    out_7[i_10] := both_8[i_10];
  })"),
            0);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 - 20 (serial) { both_8[i_10 + 20] := 2f32; out_7[i_10] := both_8[i_10]; }"),
            16);
}

TEST(ReadAhead, LeavesWhatIsReadOnAConditionAndWhatIsShort) {
  EXPECT_EQ(steps_ahead("for i_10 in n_1 + 1 (serial) { both_8[i_10] := i_10 < n_1 ? in_5[i_10] : 1f32; }"), 0);
  EXPECT_EQ(steps_ahead("for i_10 in min(n_1, 1) (serial) { for k_12 in 1 (serial) { out_7[k_12] := in_5[k_12]; } }"),
            0);
  EXPECT_EQ(steps_ahead("for i_10 in n_1 (serial) { out_7[i_10] := in_5[0]; }"), 0);
}

}  // namespace
}  // namespace heddle::nest
