// Staged operands in another order, and with padded rows.
#include "ir/nest/printer.h"
#include "rewrites/nest/pad.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/reorder.h"
#include "rewrites/nest/stage_to_registers.h"
#include "rewrites/nest/stage_to_shared.h"
#include "rewrites/nest/vectorize.h"
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
    Block sum = {stmt(Alloc{buffer(s.acc, prim::Type::F32, Space::Register, {})}), store(s.acc, {}, f32(0)),
                 loop(Role::Serial, s.k, v(s.points),
                      {store(s.acc, {}, fadd(at(s.acc, {}), at(s.both, {v(s.t), add(v(s.j), v(s.k))})))}),
                 store(s.out, {v(s.t), v(s.j)}, at(s.acc, {}))};
    plain = matrix_kernel(s, {});
    for (Buffer& b : plain.buffers) {
      if (b.name == s.both) b = buffer(s.both, prim::Type::F32, Space::Global, {v(s.tile), add(v(s.m), v(s.points))});
      if (b.name == s.out) b = buffer(s.out, prim::Type::F32, Space::Global, {v(s.tile), v(s.m)});
    }
    plain.body = {loop(Role::Block, s.t, v(s.tile), {loop(Role::Serial, s.j, v(s.m), sum)})};
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
  std::string text = to_text(after.body);
  EXPECT_NE(text.find("alloc both_tile_100: shared f32[R_4][T_3];"), std::string::npos) << text;
  EXPECT_NE(text.find("both_tile_100[at_102 % R_4][at_102 / R_4] := "), std::string::npos) << text;
  EXPECT_NE(text.find("acc_14[] + both_tile_100[k_12][t_13]"), std::string::npos) << text;
  f.expect_computes_the_same(after);
  // That every element is filled is seen in the new order, too.
  Kernel kept = rewritten(stage_to_registers(after, f.s.k, f.tile, f.s.fresh));
  EXPECT_NE(to_text(kept.body).find("register f32[R_4][1]"), std::string::npos) << to_text(kept.body);
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
  std::string text = to_text(after.body);
  EXPECT_NE(text.find("alloc both_tile_100: shared f32[T_3][R_4] strides ((R_4 + 3) / 4 * 4 + 1, 1);"),
            std::string::npos)
      << text;
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
