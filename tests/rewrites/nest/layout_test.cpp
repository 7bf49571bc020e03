// Staged operands in another order, and with padded rows.
#include "ir/nest/printer.h"
#include "rewrites/nest/pad.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/reorder.h"
#include "rewrites/nest/stage_to_registers.h"
#include "rewrites/nest/stage_to_shared.h"
#include "rewrites/nest/vectorize.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// out[i][j] = sum over k < R of in[i][j + k], with T threads that each go down a column's whole height in a tile.
struct Rows {
  Names s;
  Kernel plain, staged;
  Name tile, before;

  Rows() {
    plain = kernel_of(R"(kernel small(
    T_3: constant,
    R_4: constant,
    n_1: i64,
    m_2: i64,
    both_8: global f32[T_3][m_2 + R_4],
    out_7: global f32[T_3][m_2]) {
  for t_13 in T_3 (block) {
    for j_11 in m_2 (serial) {
      alloc acc_14: register f32;
      acc_14[] := 0.0f32;
      for k_12 in R_4 (serial) {
        acc_14[] := acc_14[] + both_8[t_13][j_11 + k_12];
      }
      out_7[t_13][j_11] := acc_14[];
    }
  }
}
)");
    staged = rewritten(stage_to_shared(plain, s.k, {s.both}, s.fresh));
    for_each_stmt(staged.body, [&](const Stmt& x) {
      const auto* alloc = std::get_if<Alloc>(&x->node);
      if (alloc && alloc->buffer.space == Space::Shared) tile = alloc->buffer.name;
    });
  }

  void expect_computes_the_same(const Kernel& after) const {
    for (int64_t tile : {1, 2, 5}) {
      for (int64_t points : {1, 3}) expect_same(plain, after, {{s.n, 0}, {s.m, 3}, {s.tile, tile}, {s.points, points}});
    }
  }
};

TEST(Reorder, ExchangesRowsAndColumns) {
  Rows f;
  Kernel after = rewritten(reorder(f.staged, f.tile, {1, 0}));
  EXPECT_GOLDEN("rewrites/nest/reorder/rows.nest", to_text(after));
  f.expect_computes_the_same(after);
  // That every element is filled is seen in the new order, too.
  Kernel kept = rewritten(stage_to_registers(after, f.s.k, f.tile, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/reorder/kept_in_registers.nest", to_text(kept));
  f.expect_computes_the_same(kept);
}

TEST(Reorder, Refuses) {
  Rows f;
  EXPECT_EQ(refusal(reorder(f.staged, f.s.both, {1, 0})), "the kernel makes no buffer both_8");
  EXPECT_EQ(refusal(reorder(f.staged, f.tile, {1, 1})), "1, 1 is no order of 2 dimensions");
  EXPECT_EQ(refusal(reorder(f.staged, f.tile, {0})), "0 is no order of 2 dimensions");
  Kernel padded = rewritten(pad(f.staged, f.tile, i64(1), i64(1), f.s.fresh));
  EXPECT_EQ(refusal(reorder(padded, f.tile, {1, 0})), "the rows of both_tile_100 are padded");
}

TEST(Pad, MovesRowsApart) {
  Rows f;
  Kernel after = rewritten(pad(f.staged, f.tile, i64(4), i64(1), f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/pad/rows.nest", to_text(after));
  f.expect_computes_the_same(after);
  EXPECT_EQ(to_text(rewritten(pad(f.staged, f.tile, v(f.s.points), i64(0), f.s.fresh)).body), to_text(f.staged.body));
}

TEST(Pad, Refuses) {
  Rows f;
  EXPECT_EQ(refusal(pad(f.staged, f.s.acc, i64(1), i64(1), f.s.fresh)), "acc_14 has no rows");
  EXPECT_EQ(refusal(pad(f.staged, f.tile, i64(0), i64(1), f.s.fresh)), "a quantum of 0 or a padding of 1 is no size");
  EXPECT_EQ(refusal(pad(f.staged, f.tile, i64(1), i64(-1), f.s.fresh)), "a quantum of 1 or a padding of -1 is no size");
  EXPECT_EQ(refusal(pad(f.staged, f.tile, v(f.s.m), i64(1), f.s.fresh)),
            "a quantum of m_2 or a padding of 1 is no size");
  EXPECT_EQ(refusal(pad(f.staged, f.s.out, i64(1), i64(1), f.s.fresh)), "the kernel makes no buffer out_7");
}

TEST(Pad, LeavesWideAccessesAligned) {
  Rows f;
  Result<Rewritten> kept = stage_to_registers(f.staged, f.s.k, f.tile, f.s.fresh);
  Kernel wide = rewritten(vectorize(kept->kernel, kept->loops.at(0), f.s.fresh));
  f.expect_computes_the_same(wide);
  EXPECT_EQ(refusal(pad(wide, f.tile, i64(1), i64(1), f.s.fresh)),
            "several elements of both_tile_100 are moved at once");
  EXPECT_NE(refusal(reorder(wide, f.tile, {1, 0})).find("a vector loop moves neighbouring elements"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::nest
