// Remainders of indices near the ends of their range, without divisions.
#include "rewrites/nest/around_once.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

bool has_remainder(const Block& body) {
  bool found = false;
  for_each_expr(body, [&](const Expr& e) {
    const auto* o = std::get_if<Operation>(&e->node);
    found |= o && (o->op.family == prim::Family::SMod || o->op.family == prim::Family::SRem);
  });
  return found;
}

// Whether a division is left of this index of `in`; what is computed is compared.
bool left(const std::string& at, const std::string& lets = "") {
  const Kernel before =
      vector_kernel(fmt::format("for i_10 in n_1 (grid) {{ {} out_7[i_10] := in_5[{}]; }}", lets, at));
  Kernel after = before;
  NameSource names(1000);
  after.body = around_once(before, names);
  for (int64_t n : {0, 1, 2, 3, 7}) expect_same(before, after, {{{"n", 1}, n}, {{"T", 3}, 1}, {{"R", 4}, 1}});
  return has_remainder(after.body);
}

TEST(AroundOnce, WhereTheDividendIsNear) {
  EXPECT_FALSE(left("(i_10 + 1) % n_1"));
  EXPECT_FALSE(left("(i_10 - 1) % n_1"));
  EXPECT_FALSE(left("(i_10 + n_1 - 1) % n_1"));
  EXPECT_FALSE(left("(up_30 + i_10) % n_1", "let up_30: i64 = n_1 + 1;"));
}

TEST(AroundOnce, NotElsewhere) {
  EXPECT_TRUE(left("(i_10 - 2) % n_1"));  // an array of one element
  EXPECT_TRUE(left("i_10 * 2 * i_10 % n_1"));
  EXPECT_TRUE(left("(i_10 + 5) % n_1"));
}

// It goes towards zero: what is negative stays so.
TEST(AroundOnce, OfTruncatedQuotients) {
  NameSource names(1000);
  auto kernel = [](const std::string& at) {
    return vector_kernel("for i_10 in n_1 (grid) { if 0 <= srem64(" + at + ", n_1) { out_7[i_10] := in_5[srem64(" + at +
                         ", n_1)]; } }");
  };
  EXPECT_FALSE(has_remainder(around_once(kernel("i_10 + 1"), names)));
  EXPECT_TRUE(has_remainder(around_once(kernel("i_10 - 1"), names)));
}

}  // namespace
}  // namespace heddle::nest
