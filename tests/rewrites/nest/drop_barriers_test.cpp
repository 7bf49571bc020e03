// Which barriers of a block's threads are left out.
#include "rewrites/nest/drop_barriers.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

Kernel with_body(const std::string& body) {
  return kernel_of(fmt::format(R"(kernel small(n_9: i64, in_5: global f32[8], out_7: global f32[8]) {{
  for t_1 in 8 (block) {{
    alloc a_20: shared f32[8];
    alloc x_21: register f32;
    {}
  }}
}}
)",
                               body));
}

size_t barriers(const Kernel& k) {
  size_t count = 0;
  for_each_stmt(k.body, [&](const Stmt& s) { count += std::holds_alternative<Barrier>(s->node) ? 1 : 0; });
  return count;
}

// How many stay; what is computed does.
size_t left(const std::string& body) {
  Kernel before = with_body(body), after = before;
  after.body = drop_barriers(before.body);
  for (int64_t n : {0, 1, 3}) expect_same(before, after, {{Name{"n", 9}, n}});
  return barriers(after);
}

const std::string kPut = "a_20[t_1] := in_5[t_1];", kGet = "out_7[t_1] := a_20[7 - t_1];",
                  kOwn = "x_21[] := 1f32; let y_22: f32 = x_21[]; x_21[] := y_22 + 1f32;";

TEST(DropBarriers, WithNothingSharedBetween) {
  EXPECT_EQ(left("barrier;" + kPut + "barrier; barrier;" + kOwn + "barrier;" + kGet + "barrier;"), 2u);
}

TEST(DropBarriers, AtBothEndsOfALoop) {
  const std::string loop = "for i_30 in n_9 (serial) { barrier;" + kPut + "barrier;" + kGet + "barrier; }";
  EXPECT_EQ(left(kPut + "barrier;" + loop + "barrier;" + kGet), 3u);
  EXPECT_EQ(left(kPut + "for i_30 in n_9 (serial) { barrier;" + kGet + "barrier;" + kPut + "barrier; }"), 3u);
  EXPECT_EQ(left("for i_30 in n_9 (serial) { barrier;" + kPut + "barrier;" + kGet + "}"), 2u);
}

TEST(DropBarriers, BehindABranch) {
  auto branch = [](const std::string& yes, const std::string& no) {
    return kPut + "if n_9 < 2 {" + yes + "} else {" + no + "} barrier;" + kGet;
  };
  EXPECT_EQ(left(branch("barrier;", "barrier;")), 2u);
  EXPECT_EQ(left(branch("barrier;", kOwn)), 2u);
  EXPECT_EQ(left(branch("barrier;", "barrier;" + kGet)), 3u);
}

}  // namespace
}  // namespace heddle::nest
