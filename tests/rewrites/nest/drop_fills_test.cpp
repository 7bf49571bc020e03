// Which arrays are filled in vain.
#include "rewrites/nest/drop_fills.h"

#include <fmt/format.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// How many loops are left, after comparing what is computed.
int loops_left(const std::string& body) {
  const Kernel before = vector_kernel(fmt::format("for t_13 in 1 (block) {{\n{}\n}}", body));
  const Kernel after = drop_fills(before);
  for (int64_t n : {0, 1, 2, 7}) expect_same(before, after, {{Name{"n", 1}, n}, {Name{"T", 3}, 1}, {Name{"R", 4}, 1}});
  int loops = 0;
  for_each_stmt(after.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s->node);
    loops += loop && loop->role == Role::Serial;
  });
  return loops;
}

const std::string kFill = "for i_10 in n_1 (serial) { out_7[i_10] := 0f32; }\n";

TEST(DropFills, DropsWhatIsStoredAgain) {
  EXPECT_EQ(loops_left(kFill + "for j_11 in n_1 (serial) { out_7[j_11] := in_5[j_11] * 2f32; }"), 1);
  EXPECT_EQ(
      loops_left(kFill +
                 "both_8[0] := 1f32; for j_11 in n_1 (serial) { let k_12: i64 = j_11 + 1 - 1; out_7[k_12] := 2f32; }"),
      1);
  EXPECT_EQ(loops_left(kFill + "for k_12 in n_1 (serial) { out_7[k_12] := 1f32; } for j_11 in n_1 (serial) { "
                               "out_7[j_11] := in_5[j_11] * 2f32; }"),
            1);
}

// Elements that the loop, or something before it, reads, or that it may not store.
TEST(DropFills, LeavesWhatIsReadOrStaysAsItIs) {
  EXPECT_EQ(loops_left(kFill + "for j_11 in n_1 (serial) { out_7[j_11] := out_7[n_1 - 1 - j_11] + 1f32; }"), 2);
  EXPECT_EQ(loops_left(kFill + "for j_11 in n_1 - 1 (serial) { out_7[j_11] := 2f32; }"), 2);
  EXPECT_EQ(loops_left(kFill + "for j_11 in n_1 (serial) { out_7[0] := in_5[j_11]; }"), 2);
  EXPECT_EQ(loops_left(kFill + "for j_11 in n_1 (serial) { if j_11 % 2 == 0 { out_7[j_11] := 2f32; } }"), 2);
  EXPECT_EQ(loops_left(kFill +
                       "if 0 < n_1 { both_8[0] := out_7[n_1 - 1]; } for j_11 in n_1 (serial) { out_7[j_11] := 2f32; }"),
            2);
}

}  // namespace
}  // namespace heddle::nest
