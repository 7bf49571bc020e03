#include "rewrites/nest/distribute.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kPoint{"point", 101};

// A filter whose points are cut into tiles of R, with tests.
Kernel tiled_filter(Names& s) {
  Kernel k = rewritten(stripmine(filter_kernel(), s.i, v(s.points), "tile", "point", s.fresh));
  return rewritten(predicate(k, kPoint));
}

TEST(Distribute, ExpandsWhatStatementsLeaveToEachOther) {
  Names s;
  Kernel before = filter_kernel();
  Result<Rewritten> result = distribute(tiled_filter(s), kPoint, s.fresh);
  Kernel after = rewritten(result);
  EXPECT_GOLDEN("rewrites/nest/distribute/filter.nest", to_text(after));
  EXPECT_EQ(result->loops.size(), 3u);
  for (int64_t points : {1, 2, 3}) {
    for (int64_t n : awkward_sizes(points)) {
      for (int64_t m : {0, 1, 3}) expect_same(before, after, {{s.n, n}, {s.m, m}, {s.tile, 1}, {s.points, points}});
    }
  }
}

TEST(Distribute, ExpandsValues) {
  Names s;
  Kernel before = vector_kernel(R"(
  for i_10 in R_4 (serial) {
    let x_30: f32 = in_5[i_10];
    both_8[i_10] := x_30;
    out_7[i_10] := x_30 + 1.0f32;
  }
)");
  Kernel after = rewritten(distribute(before, s.i, s.fresh));
  EXPECT_GOLDEN("rewrites/nest/distribute/values.nest", to_text(after));
  for (int64_t n : {3, 4, 7}) expect_same(before, after, {{s.n, n}, {s.tile, 1}, {s.points, 3}});
}

const std::string kStoreFirst = R"(
  for i_10 in n_1 (serial) {
    both_8[i_10] := in_5[i_10];
    out_7[i_10] := both_8[i_10];
  }
)";
const std::string kStoreAhead = R"(
  for i_10 in n_1 (serial) {
    both_8[i_10 + 1] := in_5[i_10];
    out_7[i_10] := both_8[i_10];
  }
)";
const std::string kReadAhead = R"(
  for i_10 in n_1 (serial) {
    out_7[i_10] := both_8[i_10 + 1];
    both_8[i_10] := in_5[i_10];
  }
)";

TEST(Distribute, KeepsDependencesForward) {
  Names s;
  // Each element is stored in the iteration before it is read, or in the same one, or read before it is stored.
  for (const std::string& body : {kStoreAhead, kStoreFirst, kReadAhead}) {
    // Nothing is left of `both` in front: it is an input as well.
    Kernel before = vector_kernel(body), after = rewritten(distribute(before, s.i, s.fresh));
    for (int64_t n : {0, 1, 5}) expect_same(before, after, {{s.n, n}, {s.tile, 1}, {s.points, 1}});
  }
}

TEST(Distribute, RefusesBackwardDependences) {
  Names s;
  std::string reason = "a statement may depend through both_8 on a later one of an earlier iteration of i_10";
  EXPECT_EQ(refusal(distribute(vector_kernel(R"(
  for i_10 in n_1 (serial) {
    out_7[i_10] := both_8[i_10];
    both_8[i_10 + 1] := in_5[i_10];
  }
)"),
                               s.i, s.fresh)),
            reason);
  EXPECT_EQ(refusal(distribute(vector_kernel(R"(
  for i_10 in n_1 (serial) {
    both_8[i_10] := in_5[i_10];
    out_7[i_10] := both_8[i_10 + 1];
  }
)"),
                               s.i, s.fresh)),
            reason);
}

TEST(Distribute, Refuses) {
  Names s;
  EXPECT_EQ(refusal(distribute(filter_kernel(), s.i, s.fresh)),
            "the extent of i_10 is not constant, so acc_14 cannot be expanded to registers");
  EXPECT_EQ(refusal(distribute(filter_kernel(), s.k, s.fresh)), "k_12 holds only one statement");
  Kernel grid = vector_kernel("for i_10 in n_1 (grid) { out_7[i_10] := 0.0f32; both_8[i_10] := 0.0f32; }");
  EXPECT_EQ(refusal(distribute(grid, s.i, s.fresh)), "i_10 is grid; only a serial loop can be distributed");
}

}  // namespace
}  // namespace heddle::nest
