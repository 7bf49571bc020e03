// Copies that run ahead, and wide ones.
#include "rewrites/nest/pipeline.h"
#include "ir/nest/printer.h"
#include "rewrites/nest/interchange.h"
#include "rewrites/nest/stage_to_shared.h"
#include "rewrites/nest/stripmine.h"
#include "rewrites/nest/widen_copies.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

// The filter with its operands staged for two weights at a time.
struct Chunked : Filter {
  Name chunk, staged_loop;
  Kernel staged;

  explicit Chunked(const Substitution& row_multiples = {}) {
    Kernel k = rewritten(interchange(kernel, points, s.fresh));
    Result<Rewritten> chunks = stripmine(k, s.k, i64(2), "chunk", "k_in", s.fresh);
    chunk = chunks->loops[0];
    staged_loop = chunks->loops[1];
    staged = rewritten(stage_to_shared(chunks->kernel, staged_loop, {s.in, s.weights}, s.fresh, row_multiples));
  }
};

TEST(Pipeline, RunsAhead) {
  Chunked f;
  Kernel after = rewritten(pipeline(f.staged, f.chunk, v(f.s.tile), f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/pipeline/filter.nest", to_text(after));
  f.expect_computes_the_same(after);
  f.expect_computes_the_same(rewritten(pipeline(f.staged, f.chunk, i64(2), f.s.fresh)));
}

// The evaluator finds what goes wrong where copies are not waited for, or a stage too few is kept.
TEST(Pipeline, EachWaitAndStageIsNeeded) {
  Chunked f;
  Kernel after = rewritten(pipeline(f.staged, f.chunk, v(f.s.tile), f.s.fresh));
  struct Spoil : Rebuilder<Spoil> {
    bool wait_later = false, without_barrier = false, one_stage_less = false;
    Name tile;
    void stmts(const Stmt& x, Block& out) {
      Rebuilder::stmts(x, out);
      if (const auto* wait = std::get_if<AsyncWait>(&out.back()->node); wait && wait_later)
        out.back() = stmt(AsyncWait{add(wait->pending, i64(1))});
      if (std::holds_alternative<Barrier>(out.back()->node) && without_barrier) out.pop_back();
    }
    void expr(Expr& e) {
      Rebuilder<Spoil>::expr(e);
      if (one_stage_less && equal(e, add(v(tile), i64(1)))) e = v(tile);
    }
  };
  Values sizes = {{f.s.n, 7}, {f.s.m, 9}, {f.s.tile, 2}, {f.s.points, 2}};
  auto spoilt = [&](auto change) {
    Spoil spoil;
    spoil.tile = f.s.tile;
    change(spoil);
    Kernel k = after;
    spoil.body(k.body);
    return difference(f.plain, k, sizes);
  };
  EXPECT_EQ(spoilt([](Spoil&) {}), "");
  EXPECT_NE(spoilt([](Spoil& s) { s.wait_later = true; }), "");
  EXPECT_NE(spoilt([](Spoil& s) { s.without_barrier = true; }), "");
  EXPECT_NE(spoilt([](Spoil& s) { s.one_stage_less = true; }), "");
}

TEST(Pipeline, EndsWithABarrierInASerialLoop) {
  Chunked f;
  // Twice the same.
  Name again{"again", 70};
  Kernel twice = with_loop_replaced(f.staged, f.chunk, [&](const For& chunks) -> Block {
    return {loop(Role::Serial, again, i64(2), {stmt(chunks)})};
  });
  Kernel after = rewritten(pipeline(twice, f.chunk, i64(1), f.s.fresh));
  expect_same(twice, after, {{f.s.n, 7}, {f.s.m, 5}, {f.s.tile, 3}, {f.s.points, 2}});
  struct Drop : Rebuilder<Drop> {
    void stmts(const Stmt& x, Block& out) {
      Rebuilder::stmts(x, out);
      if (std::holds_alternative<Barrier>(x->node) && out.size() > 1) {
        const auto* before = std::get_if<For>(&out[out.size() - 2]->node);
        if (before) out.pop_back();
      }
    }
  } drop;
  Kernel without = after;
  drop.body(without.body);
  EXPECT_NE(difference(twice, without, {{f.s.n, 7}, {f.s.m, 5}, {f.s.tile, 3}, {f.s.points, 2}}), "");
}

TEST(Pipeline, Refuses) {
  Chunked f;
  Names& s = f.s;
  EXPECT_EQ(refusal(pipeline(f.staged, f.chunk, i64(0), s.fresh)), "0 is no positive constant");
  EXPECT_EQ(refusal(pipeline(f.staged, f.chunk, v(s.m), s.fresh)), "m_2 is no positive constant");
  EXPECT_EQ(refusal(pipeline(f.plain, s.k, i64(1), s.fresh)),
            "k_12 does not copy, wait at a barrier, compute and wait again");
  EXPECT_EQ(refusal(pipeline(f.staged, Name{"block", 100}, i64(1), s.fresh)), "block_100 is grid");
  auto changed = [&](auto change) {
    return with_loop_replaced(f.staged, f.chunk, [&](const For& loop) -> Block {
      Block body = loop.body;
      change(body);
      return {stmt(For{loop.index, loop.extent, loop.role, body})};
    });
  };
  Kernel computed = changed([&](Block& body) {
    struct Twice : Rebuilder<Twice> {
      void expr(Expr&) {}
      void stmts(const Stmt& x, Block& out) {
        Rebuilder::stmts(x, out);
        const auto* copy = std::get_if<Store>(&x->node);
        if (copy && copy->buffer.base == "in_tile")
          out.back() = store(copy->buffer, copy->index, fadd(copy->value, copy->value));
      }
    } twice;
    twice.body(body);
  });
  EXPECT_NE(
      refusal(pipeline(computed, f.chunk, i64(1), s.fresh)).find(", which is stored to in_tile_114, is no element"),
      std::string::npos);
  Kernel with_result = changed([&](Block& body) { body.insert(body.end() - 1, store(s.out, {i64(0)}, f32(0))); });
  EXPECT_EQ(refusal(pipeline(with_result, f.chunk, i64(1), s.fresh)),
            "other threads may wait at the barrier for out_7");
  Kernel with_barrier = changed([&](Block& body) { body.insert(body.end() - 1, barrier()); });
  EXPECT_EQ(refusal(pipeline(with_barrier, f.chunk, i64(1), s.fresh)), "`barrier;\n` stands between the barriers");
  Kernel with_store = changed([&](Block& body) { body.insert(body.begin(), store(s.out, {i64(0)}, f32(0))); });
  EXPECT_EQ(refusal(pipeline(with_store, f.chunk, i64(1), s.fresh)),
            "something else than copies stands before the barrier");
}

TEST(WidenCopies, MovesSeveralElements) {
  Chunked f({{Names().weights, i64(2)}});
  Kernel ahead = rewritten(pipeline(f.staged, f.chunk, i64(1), f.s.fresh));
  Name weights_tile;
  for_each_stmt(ahead.body, [&](const Stmt& x) {
    const auto* alloc = std::get_if<Alloc>(&x->node);
    if (alloc && alloc->buffer.name.base == "weights_tile") weights_tile = alloc->buffer.name;
  });
  Kernel after = rewritten(widen_copies(ahead, weights_tile, i64(2), f.s.fresh));
  EXPECT_GOLDEN("rewrites/nest/widen_copies/filter.nest", to_text(after));
  f.expect_computes_the_same(after);
  EXPECT_EQ(refusal(widen_copies(ahead, weights_tile, i64(3), f.s.fresh)),
            "the rows of " + weights_tile.text() + " may be no multiple of 3");
  EXPECT_EQ(refusal(widen_copies(f.staged, weights_tile, i64(2), f.s.fresh)), weights_tile.text() + " has no rows");
  EXPECT_EQ(refusal(widen_copies(after, weights_tile, i64(2), f.s.fresh)), "done") << "where they are single still";
  EXPECT_EQ(refusal(widen_copies(ahead, weights_tile, v(f.s.m), f.s.fresh)), "a width of m_2 is no positive constant");
  // Every second weight, and weights from the second one on.
  auto elsewhere = [&](const Expr& index) {
    struct Move : Rebuilder<Move> {
      const Name& weights;
      const Expr& index;
      Move(const Name& weights, const Expr& index) : weights(weights), index(index) {}
      void expr(Expr&) {}
      void stmts(const Stmt& x, Block& out) {
        Rebuilder::stmts(x, out);
        const auto* copy = std::get_if<AsyncCopy>(&x->node);
        if (!copy || copy->from != weights) return;
        AsyncCopy changed = *copy;
        changed.from_index[0] = substitute({{Name{"x", 99}, copy->from_index[0]}}, index);
        out.back() = stmt(changed);
      }
    } move(f.s.weights, index);
    Kernel k = ahead;
    move.body(k.body);
    return refusal(widen_copies(k, weights_tile, i64(2), f.s.fresh));
  };
  Expr x = v(Name{"x", 99});
  EXPECT_EQ(elsewhere(x), "done");
  EXPECT_NE(elsewhere(add(x, i64(1))).find(" may be no multiple of 2"), std::string::npos);
  EXPECT_NE(elsewhere(mul(x, i64(2))).find("neighbours in " + weights_tile.text() + " are none at "),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::nest
