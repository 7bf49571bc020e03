// Reductions in parts.
#include "rewrites/nest/split_reduction.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/compare.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/stripmine.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;

struct Chunks {
  Names s;
  Kernel plain = filter_kernel(), kernel;
  Name chunk;

  Chunks() {
    Result<Rewritten> chunks = stripmine(plain, s.k, v(s.tile), "chunk", "k_in", s.fresh);
    kernel = chunks->kernel;
    chunk = chunks->loops[0];
  }
};

TEST(SplitReduction, EachPartHasAnElement) {
  Chunks f;
  Names& s = f.s;
  Result<Split> split = split_reduction(f.kernel, f.chunk, s.fresh);
  ASSERT_TRUE(split) << split.error().message;
  EXPECT_GOLDEN("rewrites/nest/split_reduction/first.nest", to_text(split->first));
  EXPECT_GOLDEN("rewrites/nest/split_reduction/second.nest", to_text(split->second));
  Kernel first = rewritten(parallelize(split->first, f.chunk, Role::Grid, s.fresh));
  first = rewritten(parallelize(first, s.i, Role::Block, s.fresh));
  Kernel second = rewritten(parallelize(split->second, s.i, Role::Grid, s.fresh));
  for (int64_t tile : {1, 3}) {
    for (int64_t m : awkward_sizes(tile)) {
      for (int64_t n : {0, 1, 5}) {
        std::unordered_map<Name, prim::Value> values;
        for (auto [name, value] : Values{{s.n, n}, {s.m, m}, {s.tile, tile}, {s.points, 1}})
          values.emplace(name, prim::Value::i64(value));
        Expected expected(f.plain, values);
        ASSERT_EQ(expected.problem(), std::nullopt);
        EXPECT_EQ(expected.difference(std::vector<Kernel>{first, second}), "") << n << " " << m << " " << tile;
        if (n > 0 && m > 0) {
          EXPECT_NE(expected.difference(std::vector<Kernel>{second}), "") << "the second kernel needs the first one";
        }
      }
    }
  }
}

TEST(SplitReduction, Refuses) {
  Chunks f;
  Names& s = f.s;
  auto refused = [&](const Kernel& k) {
    Result<Split> split = split_reduction(k, f.chunk, s.fresh);
    return split ? std::string("done") : split.error().message;
  };
  auto with_step = [&](Expr value) {
    struct Replace : Rebuilder<Replace> {
      const Names& s;
      Expr value;
      Replace(const Names& s, Expr value) : s(s), value(std::move(value)) {}
      void expr(Expr&) {}
      void stmts(const Stmt& x, Block& out) {
        Rebuilder::stmts(x, out);
        const auto* old = std::get_if<Store>(&x->node);
        if (old && old->buffer == s.acc && free_names(old->value).contains(s.acc)) out.back() = store(s.acc, {}, value);
      }
    } replace(s, value);
    Kernel k = f.kernel;
    replace.body(k.body);
    return k;
  };
  Expr old = at(s.acc, {}), x = at(s.in, {v(s.k)});
  EXPECT_EQ(refused(with_step(operation(prim::Op(prim::Family::FSub, prim::Type::F32), {old, x}))),
            "what is stored to acc_14 comes from no associative and commutative operator");
  EXPECT_EQ(refused(with_step(fadd(x, x))), "acc_14 does not go on from its old value");
  EXPECT_EQ(refused(with_step(fadd(old, old))), "acc_14 is used within the reduction");
  EXPECT_EQ(refused(with_step(fadd(old, at(s.out, {v(s.k)})))), "the kernel writes to out_7");
  EXPECT_EQ(refused(f.plain), "there is no loop chunk_100");
  Kernel written = with_loop_replaced(f.kernel, f.chunk, [&](const For& chunks) -> Block {
    Block body = chunks.body;
    body.push_back(store(s.out, {v(s.i)}, f32(0)));
    return {stmt(For{chunks.index, chunks.extent, chunks.role, body})};
  });
  EXPECT_EQ(refused(written).substr(0, 20), "chunk_100 writes to ");
  EXPECT_EQ(refused(rewritten(parallelize(f.kernel, s.i, Role::Grid, s.fresh))), "i_10, which is around it, is grid");
}

}  // namespace
}  // namespace heddle::nest
