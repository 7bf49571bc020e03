// Shared buffers that become one, and those that must not.
#include "rewrites/nest/share_scratch.h"

#include <fmt/format.h>

#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

size_t shared_buffers(const Kernel& k) {
  size_t count = 0;
  for_each_stmt(k.body, [&](const Stmt& s) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    count += alloc && alloc->buffer.space == Space::Shared ? 1 : 0;
  });
  return count;
}

// Three buffers of these sizes, each computed of the one before; `barrier` stands between the last two steps.
Kernel chain(int a, int b, int c, const std::string& barrier = "barrier;") {
  return kernel_of(fmt::format(R"(kernel small(in_5: global f32[8], out_7: global f32[8]) {{
  for t_1 in 8 (block) {{
    alloc a_20: shared f32[{}];
    alloc b_21: shared f32[{}];
    alloc c_22: shared f32[{}];
    a_20[t_1] := in_5[t_1];
    barrier;
    if t_1 < 7 {{
      b_21[t_1] := a_20[t_1 + 1];
    }}
    barrier;
    if t_1 < 6 {{
      c_22[t_1] := b_21[t_1 + 1];
    }}
    {}
    if t_1 < 5 {{
      out_7[t_1] := c_22[t_1] + c_22[t_1 + 1];
    }}
  }}
}}
)",
                               a, b, c, barrier));
}

TEST(ShareScratch, OfBuffersThatAreUsedOneAfterTheOther) {
  Kernel before = chain(8, 7, 6), after = share_scratch(before);
  EXPECT_EQ(shared_buffers(before), 3u);
  EXPECT_EQ(shared_buffers(after), 2u);
  expect_same(before, after, {});
}

// The same on two sides of a branch; what else stands in the second, and behind the branch.
Kernel branches(const std::string& within, const std::string& behind) {
  const std::string side = R"(
      a_20[t_1] := in_5[t_1];
      barrier;
      b_21[t_1] := a_20[t_1];
      barrier;
)";
  return kernel_of(R"(kernel small(n_9: i64, in_5: global f32[8], out_7: global f32[8]) {
  for t_1 in 8 (block) {
    alloc a_20: shared f32[8];
    alloc b_21: shared f32[8];
    alloc c_22: shared f32[8];
    if n_9 < 5 {)" +
                   side + R"(
      c_22[t_1] := b_21[7 - t_1];
      barrier;
      out_7[t_1] := c_22[7 - t_1];
    } else {)" + side +
                   within + R"(
      c_22[t_1] := b_21[t_1] + 1.0f32;
      barrier;
      out_7[t_1] := c_22[7 - t_1];
    }
)" + behind + "  }\n}\n");
}

TEST(ShareScratch, OnBothSidesOfABranch) {
  Kernel before = branches("", ""), after = share_scratch(before);
  EXPECT_EQ(shared_buffers(after), 2u);
  for (int64_t n : {3, 7}) expect_same(before, after, {{Name{"n", 9}, n}});
}

// What is done between barriers may have some of its own, as of those who complete a buffer.
TEST(ShareScratch, WhereOneSideHasBarriersFurtherWithin) {
  const std::string filled = R"(
      if n_9 < 7 {
        barrier;
        if t_1 < 1 {
          b_21[t_1] := b_21[t_1 + 1];
        }
      }
      barrier;
)";
  Kernel before = branches(filled, ""), after = share_scratch(before);
  EXPECT_EQ(shared_buffers(after), 2u);
  for (int64_t n : {3, 6, 7}) expect_same(before, after, {{Name{"n", 9}, n}});
}

TEST(ShareScratch, NotByBarriersThatNotAllComeTo) {
  const std::string again = R"(
      if n_9 < 7 {
        barrier;
      }
      a_20[t_1] := in_5[t_1];
      c_22[t_1] := a_20[t_1];
      barrier;
)";
  EXPECT_EQ(shared_buffers(share_scratch(branches(again, ""))), 3u);
}

TEST(ShareScratch, NotWhereOneSideStillReadsIt) {
  EXPECT_EQ(shared_buffers(share_scratch(branches("      out_7[t_1] := a_20[7 - t_1];\n", ""))), 3u);
}

TEST(ShareScratch, NotWhereItIsReadBehindTheBranch) {
  EXPECT_EQ(shared_buffers(share_scratch(branches("", "    out_7[t_1] := a_20[t_1];\n"))), 3u);
}

TEST(ShareScratch, NotOfOneThatHasNoRoom) { EXPECT_EQ(shared_buffers(share_scratch(chain(8, 7, 9))), 3u); }

// A chain of each of two warps; whose part it reads at the end.
Kernel chains_of_warps(const std::string& part) {
  return kernel_of(R"(kernel small(in_5: global f32[64], out_7: global f32[64]) {
  for w_2 in 2 (warp) {
    for l_1 in 32 (lane) {
      alloc a_20: shared f32[2][32];
      alloc b_21: shared f32[2][32];
      alloc c_22: shared f32[2][32];
      a_20[w_2][l_1] := in_5[w_2*32 + l_1];
      barrier (warp);
      b_21[w_2][l_1] := a_20[w_2][31 - l_1];
      barrier (warp);
      c_22[w_2][l_1] := b_21[w_2][31 - l_1];
      barrier (warp);
      out_7[w_2*32 + l_1] := c_22[)" +
                   part + R"(][31 - l_1];
    }
  }
}
)");
}

TEST(ShareScratch, OfPartsThatAreWarpsOwn) {
  Kernel before = chains_of_warps("w_2"), after = share_scratch(before);
  EXPECT_EQ(shared_buffers(after), 2u);
  expect_same(before, after, {});
}

TEST(ShareScratch, NotOfPartsThatOtherWarpsRead) {
  EXPECT_EQ(shared_buffers(share_scratch(chains_of_warps("1 - w_2"))), 3u);
}

TEST(ShareScratch, NotOfOneThatIsReadToTheEnd) {
  Kernel k = kernel_of(R"(kernel small(in_5: global f32[8], out_7: global f32[8]) {
  for t_1 in 8 (block) {
    alloc a_20: shared f32[8];
    alloc b_21: shared f32[8];
    a_20[t_1] := in_5[t_1];
    barrier;
    b_21[t_1] := a_20[t_1];
    out_7[t_1] := b_21[t_1];
  }
}
)");
  EXPECT_EQ(shared_buffers(share_scratch(k)), 2u);
}

// What a block does in each step of a loop: three buffers of one size that only the host knows.
TEST(ShareScratch, OfArraysInALoop) {
  const Kernel before = kernel_of(R"(kernel small(n_9: i64, in_5: global f32[n_9], out_7: global f32[n_9]) {
  for t_1 in n_9 (block) {
    for i_2 in 3 (serial) {
      barrier;
      alloc a_20: shared f32[n_9];
      a_20[t_1] := in_5[t_1];
      barrier;
      alloc b_21: shared f32[n_9];
      b_21[t_1] := a_20[n_9 - 1 - t_1];
      barrier;
      alloc c_22: shared f32[n_9];
      c_22[t_1] := b_21[n_9 - 1 - t_1];
      barrier;
      out_7[t_1] := c_22[n_9 - 1 - t_1];
    }
  }
}
)");
  Kernel after = before;
  EXPECT_EQ(shared_buffers(share_scratch(before)), 3u);
  after.body = share_arrays(before.body);
  EXPECT_EQ(shared_buffers(after), 2u);
  expect_same(before, after, {{Name{"n", 9}, 8}});
}

}  // namespace
}  // namespace heddle::nest
