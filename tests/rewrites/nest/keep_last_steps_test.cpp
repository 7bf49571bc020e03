// Which loads a thread keeps in registers from its last steps.
#include "rewrites/nest/keep_last_steps.h"

#include <fmt/format.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// With `both`, which has one element more than `in` and `out`.
Kernel of_loop(const std::string& body) { return vector_kernel(fmt::format("for t_13 in 1 (block) {{\n{}\n}}", body)); }

Kernel carried(const Kernel& kernel) {
  NameSource names(1000);
  Kernel after = keep_last_steps(kernel, names);
  for (int64_t n : {0, 1, 2, 3, 7})
    expect_same(kernel, after, {{Name{"n", 1}, n}, {Name{"T", 3}, 1}, {Name{"R", 4}, 1}});
  return after;
}

// Loads of `both` in loops, wherever they are.
int loads_in_loops(const Kernel& kernel) {
  int found = 0;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s->node);
    if (!loop || loop->role != Role::Serial) return;
    for_each_expr(loop->body, [&](const Expr& e) {
      const auto* l = std::get_if<Load>(&e->node);
      found += l && l->buffer == Name{"both", 8};
    });
  });
  return found;
}

TEST(KeepLastSteps, KeepsWhatTheLastStepHasStored) {
  Kernel before = of_loop(R"(
    for i_10 in n_1 (serial) {
      let x_16: f32 = both_8[i_10];
      both_8[i_10 + 1] := x_16 + in_5[i_10];
    })");
  EXPECT_EQ(loads_in_loops(before), 1);
  EXPECT_EQ(loads_in_loops(carried(before)), 0);
}

TEST(KeepLastSteps, KeepsThoseOfSeveralSteps) {
  Kernel before = of_loop(R"(
    for i_10 in n_1 - 1 (serial) {
      let x_16: f32 = both_8[i_10];
      let y_17: f32 = both_8[i_10 + 1] + x_16;
      both_8[i_10 + 2] := y_17 + in_5[i_10];
    })");
  EXPECT_EQ(loads_in_loops(carried(before)), 0);
}

TEST(KeepLastSteps, GoesBackwardsToo) {
  Kernel before = of_loop(R"(
    for i_10 in n_1 (serial) {
      let at_17: i64 = n_1 - 1 - i_10;
      let next_18: i64 = at_17 + 1;
      both_8[at_17] := both_8[next_18] + both_8[at_17];
    })");
  // What this step overwrites is read.
  EXPECT_EQ(loads_in_loops(carried(before)), 1);
}

// Nothing is read before the first element.
TEST(KeepLastSteps, ReadsUnderTheConditionOfTheFirstStep) {
  Kernel before = of_loop(R"(
    for i_10 in n_1 (serial) {
      let first_17: bool = i_10 < 1;
      let x_16: f32 = first_17 ? 1f32 : both_8[i_10 - 1];
      both_8[i_10] := x_16 + in_5[i_10];
    })");
  EXPECT_EQ(loads_in_loops(carried(before)), 0);
}

// A condition that is not known before the loop; an element that is written twice; a place that may be any.
TEST(KeepLastSteps, LeavesWhatItCannotReadBefore) {
  for (const char* body : {R"(
    for i_10 in n_1 (serial) {
      let x_16: f32 = in_5[i_10] < 0.5f32 ? 1f32 : both_8[i_10];
      both_8[i_10 + 1] := x_16;
    })",
                           R"(
    for i_10 in n_1 (serial) {
      let x_16: f32 = both_8[i_10];
      both_8[i_10 + 1] := x_16;
      both_8[i_10 + 1] := x_16 + in_5[i_10];
    })",
                           R"(
    for i_10 in n_1 (serial) {
      let x_16: f32 = both_8[n_1 - i_10];
      both_8[i_10] := x_16;
    })"}) {
    EXPECT_EQ(loads_in_loops(carried(of_loop(body))), 1) << body;
  }
}

// Behind the write of a place that stays, what was written is read, not what the last step has written; and a check may end the thread
// before anything is read.
TEST(KeepLastSteps, LeavesLoadsBehindTheWriteAndBehindChecks) {
  Kernel same_place = of_loop(R"(
    for i_10 in n_1 (serial) {
      let x_16: f32 = both_8[0];
      both_8[5 * n_1 - (4 * n_1 + n_1)] := x_16 + in_5[i_10];
      out_7[i_10] := both_8[0];
    })");
  EXPECT_EQ(loads_in_loops(carried(same_place)), 2);
  NameSource names(1000);
  Kernel checked = of_loop(R"(
    for i_10 in n_1 (serial) {
      if n_1 < i_10 { fail 0(); }
      let x_16: f32 = both_8[i_10];
      both_8[i_10 + 1] := x_16 + in_5[i_10];
    })");
  EXPECT_EQ(loads_in_loops(keep_last_steps(checked, names)), 1);
}

}  // namespace
}  // namespace heddle::nest
