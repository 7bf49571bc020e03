// Staging in shared memory and in registers, and the tests that staging makes superfluous.
#include "ir/nest/printer.h"
#include "rewrites/nest/drop_guards.h"
#include "rewrites/nest/interchange.h"
#include "rewrites/nest/stage_to_registers.h"
#include "rewrites/nest/stage_to_shared.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

const Name kTile{"in_tile", 111};

TEST(StageToShared, CopiesWhatTheBlockReads) {
  Filter f;
  Kernel after = rewritten(stage_to_shared(f.kernel, f.points, {f.s.in}, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/stage_to_shared/filter.nest", to_text(after));
  f.expect_computes_the_same(after);
  f.expect_computes_the_same(rewritten(stage_to_shared(f.kernel, f.points, {f.s.in, f.s.weights}, f.s.fresh)));
}

TEST(StageToShared, ReadsZerosForPadding) {
  // Same as the filter, but for elements beyond the end of in, of which there are only n.
  Filter f;
  auto padded = [&](Kernel k) {
    for (Buffer& b : k.buffers) {
      if (b.name == f.s.in) b.dims = {v(f.s.n)};
    }
    struct Pad : Rebuilder<Pad> {
      const Names& s;
      explicit Pad(const Names& s) : s(s) {}
      void expr(Expr& e) {
        const auto* l = std::get_if<Load>(&e->node);
        if (l && l->buffer == s.in) {
          e = select(less(l->index[0], v(s.n)), e, f32(0));
        } else {
          Rebuilder<Pad>::expr(e);
        }
      }
    } pad(f.s);
    pad.body(k.body);
    return k;
  };
  f.plain = padded(f.plain);
  Kernel after = rewritten(stage_to_shared(padded(f.kernel), f.points, {f.s.in}, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/stage_to_shared/padded.nest", to_text(after));
  f.expect_computes_the_same(after);
}

TEST(StageToShared, EachRegionHasATile) {
  // The weights are the first elements of `in` themselves.
  Filter f;
  auto autocorrelated = [&](Kernel k) {
    k = substitute({{f.s.weights, v(f.s.in)}}, k);
    std::erase_if(k.buffers, [&](const Buffer& b) { return b.name == f.s.weights; });
    return k;
  };
  f.plain = autocorrelated(f.plain);
  Kernel after = rewritten(stage_to_shared(autocorrelated(f.kernel), f.points, {f.s.in}, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/stage_to_shared/two_regions.nest", to_text(after));
  f.expect_computes_the_same(after);
}

TEST(StageToShared, Refuses) {
  Filter f;
  Names& s = f.s;
  EXPECT_EQ(refusal(stage_to_shared(f.plain, s.k, {s.in}, s.fresh)), "there are no threads that could share a copy");
  EXPECT_EQ(refusal(stage_to_shared(f.kernel, f.points, {s.out}, s.fresh)), "the kernel writes to out_7");
  EXPECT_EQ(refusal(stage_to_shared(f.kernel, f.points, {s.both}, s.fresh)), "both_8 is no parameter of the kernel");
  EXPECT_EQ(refusal(stage_to_shared(f.kernel, s.k, {s.in}, s.fresh)),
            "only the threads for which i_104 < n_1 come here");
  // Every second, third, ... element, according to the value of a scalar that may be negative.
  Name stride{"stride", 60};
  Kernel strided = substitute({{s.k, mul(v(stride), v(s.k))}}, f.kernel);
  strided.scalars.push_back({stride, prim::Type::I64});
  EXPECT_EQ(refusal(stage_to_shared(strided, f.points, {s.in}, s.fresh)),
            "it is not known in which direction i_104 + stride_60 * k_12 moves with k_12");
  Kernel squares = substitute({{s.k, mul(v(s.k), v(s.k))}}, f.kernel);
  EXPECT_EQ(refusal(stage_to_shared(squares, f.points, {s.in}, s.fresh)),
            "an index, i_104 + k_12 * k_12, is not affine");
}

TEST(StageToShared, RefusesWhatDiffersBetweenThreads) {
  Filter f;
  Names& s = f.s;
  Name first{"first", 61}, starts{"starts", 62};
  Kernel k = f.kernel;
  k.buffers.push_back(buffer(starts, prim::Type::I64, Space::Global, {v(s.tile)}));
  const Name thread{"thread", 102};
  k = with_loop_replaced(k, thread, [&](const For& loop) -> Block {
    Block body = substitute({{s.k, add(v(s.k), v(first))}}, loop.body);
    body.insert(body.begin(), let(first, load(starts, prim::Type::I64, {v(thread)})));
    return {stmt(For{loop.index, loop.extent, loop.role, body})};
  });
  EXPECT_EQ(refusal(stage_to_shared(k, f.points, {s.weights}, s.fresh)),
            "each thread reads another box of weights_6, at first_61");
}

TEST(DropGuards, KeepsTestsThatKeepIndicesInside) {
  Names s;
  Kernel k = vector_kernel(R"(
  alloc acc_14: register f32[3];
  for j_11 in R_4 (serial) {
    if j_11 < 3 {
      acc_14[j_11] := 1.0f32;
    }
  }
  for k_12 in R_4 (serial) {
    if k_12 < 3 {
      out_7[k_12] := acc_14[k_12];
    }
  }
)");
  EXPECT_EQ(refusal(drop_guards(k, s.acc, s.fresh)), "j_11 may be outside of acc_14");
}

TEST(DropGuards, LeavesOnlyTheResultTested) {
  Filter f;
  Kernel staged = rewritten(stage_to_shared(f.kernel, f.points, {f.s.in, f.s.weights}, f.s.fresh));
  Kernel after = rewritten(drop_guards(staged, f.s.acc, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/drop_guards/filter.nest", to_text(after));
  f.expect_computes_the_same(after);
}

TEST(DropGuards, KeepsTestsOfSizes) {
  Filter f;
  Kernel tested = with_loop_replaced(
      f.kernel, f.points, [&](const For& points) -> Block { return {when(less(i64(0), v(f.s.m)), {stmt(points)})}; });
  Kernel staged = rewritten(stage_to_shared(tested, f.points, {f.s.in, f.s.weights}, f.s.fresh));
  Kernel after = rewritten(drop_guards(staged, f.s.acc, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/drop_guards/test_of_a_size.nest", to_text(after));
  f.expect_computes_the_same(after);
}

TEST(DropGuards, Refuses) {
  Filter f;
  Names& s = f.s;
  EXPECT_EQ(refusal(drop_guards(f.kernel, s.acc, s.fresh)),
            "in_5[i_104 + k_12] may not exist without the test, or hold nothing");
  EXPECT_EQ(refusal(drop_guards(f.kernel, s.out, s.fresh)), "out_7 is no register buffer");
  Kernel staged = rewritten(stage_to_shared(f.kernel, f.points, {s.in, s.weights}, s.fresh));
  // The result of one point more would be read than was computed.
  struct Widen : Rebuilder<Widen> {
    const Names& s;
    explicit Widen(const Names& s) : s(s) {}
    void stmts(const Stmt& x, Block& out) {
      Rebuilder::stmts(x, out);
      const auto* branch = std::get_if<If>(&out.back()->node);
      if (!branch || branch->then_body.size() != 2) return;
      Expr wider = less(std::get<Operation>(branch->condition->node).args[0], add(v(s.n), i64(1)));
      if (std::holds_alternative<Let>(branch->then_body[0]->node) && free_names(branch->then_body).contains(s.acc))
        out.back() = when(wider, branch->then_body);
    }
  } widen(s);
  Kernel wider = staged;
  widen.body(wider.body);
  EXPECT_EQ(refusal(drop_guards(wider, s.acc, s.fresh)), "acc_14 is used under different tests");
}

TEST(StageToRegisters, KeepsWhatAThreadReads) {
  Filter f;
  Kernel k = rewritten(stage_to_shared(f.kernel, f.points, {f.s.in, f.s.weights}, f.s.fresh));
  k = rewritten(drop_guards(k, f.s.acc, f.s.fresh));
  k = rewritten(interchange(k, f.points, f.s.fresh));
  Kernel after = rewritten(stage_to_registers(k, f.points, kTile, f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/stage_to_registers/filter.nest", to_text(after));
  f.expect_computes_the_same(after);
}

TEST(StageToRegisters, Refuses) {
  Filter f;
  Names& s = f.s;
  Kernel k = rewritten(stage_to_shared(f.kernel, f.points, {s.in, s.weights}, s.fresh));
  EXPECT_EQ(refusal(stage_to_registers(k, f.points, kTile, s.fresh)),
            "in_tile_111 is read under a condition, and might not be there to be read otherwise");
  k = rewritten(drop_guards(k, s.acc, s.fresh));
  EXPECT_EQ(refusal(stage_to_registers(k, f.points, kTile, s.fresh)),
            "in_tile_111 is read under a condition, and might not be there to be read otherwise")
      << "there may be no weights";
  Kernel inside = rewritten(interchange(k, f.points, s.fresh));
  EXPECT_EQ(refusal(stage_to_registers(inside, f.points, kTile, s.fresh, i64(4))),
            "(R_4 + 3) / 4 * 4 elements of a row, a multiple of 4, may be more than in_tile_111 has");
  EXPECT_EQ(refusal(stage_to_registers(k, f.points, s.acc, s.fresh)), "some elements of acc_14 may hold nothing");
  EXPECT_EQ(refusal(stage_to_registers(k, f.points, s.out, s.fresh)), "some elements of out_7 may hold nothing");
  EXPECT_EQ(refusal(stage_to_registers(k, f.points, s.x, s.fresh)), "the kernel makes no buffer x_16");
  // All weights at once.
  k = filter_kernel();
  k.body = {loop(Role::Serial, s.i, v(s.points), std::get<For>(k.body[0]->node).body)};
  EXPECT_NE(refusal(stage_to_registers(k, s.k, s.weights, s.fresh)), "done");
}

}  // namespace
}  // namespace heddle::nest
