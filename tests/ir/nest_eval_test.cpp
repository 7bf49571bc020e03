#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ir/nest/eval.h"
#include "ir/nest/eval_races.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/nest/verify.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Type;
using prim::Value;
using testing::ElementsAre;
using testing::HasSubstr;

Memory f32s(const std::vector<float>& xs) {
  std::vector<Value> data;
  for (float x : xs) data.push_back(Value::f32(x));
  return memory_of(std::move(data));
}

// 0, 1, 2, ... modulo 7, so that all sums are exact.
Memory counting(int64_t n) {
  std::vector<float> xs;
  for (int64_t i = 0; i < n; ++i) xs.push_back(static_cast<float>(i % 7));
  return f32s(xs);
}

std::vector<double> floats(const Memory& m) {
  std::vector<double> xs;
  for (const Value& v : m.data) xs.push_back(v.f);
  return xs;
}

std::vector<Value> i64s(const std::vector<int64_t>& xs) {
  std::vector<Value> values;
  for (int64_t x : xs) values.push_back(Value::i64(x));
  return values;
}

void expect_success(const Outcome& o) {
  EXPECT_FALSE(o.problem) << o.problem->text;
  EXPECT_FALSE(o.failed) << "failed with " << o.failed->id;
}

void expect_trouble(const Outcome& o, Trouble kind, const std::string& text) {
  ASSERT_TRUE(o.problem) << "no problem found";
  EXPECT_EQ(static_cast<int>(o.problem->kind), static_cast<int>(kind));
  EXPECT_THAT(o.problem->text, HasSubstr(text));
}

TEST(NestEval, Copies) {
  for (int64_t n : {0, 1, 31, 32, 33, 100}) {
    std::vector<Memory> buffers = {counting(n), unwritten_memory(Type::F32, n)};
    expect_success(evaluate(copy(), i64s({n}), buffers));
    EXPECT_EQ(floats(buffers[1]), floats(buffers[0]));
    EXPECT_EQ(buffers[1].written, std::vector<bool>(static_cast<size_t>(n), true));
  }
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, size_t n, size_t m, size_t k) {
  std::vector<double> c(n * k);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < k; ++j) {
      for (size_t r = 0; r < m; ++r) c[i * k + j] += a[i * m + r] * b[r * k + j];
    }
  }
  return c;
}

void expect_product(const Kernel& kernel, int64_t n, int64_t m, int64_t k) {
  std::vector<Memory> buffers = {counting(n * m), counting(m * k), unwritten_memory(Type::F32, n * k)};
  expect_success(evaluate(kernel, i64s({n, m, k}), buffers));
  EXPECT_EQ(floats(buffers[2]), product(floats(buffers[0]), floats(buffers[1]), static_cast<size_t>(n),
                                        static_cast<size_t>(m), static_cast<size_t>(k)));
}

TEST(NestEval, Multiplies) {
  expect_product(matmul(), 5, 3, 9);
  expect_product(matmul(), 1, 1, 1);
  expect_product(matmul(), 4, 0, 8);
  expect_product(matmul(), 0, 3, 8);
  expect_product(tiled_matmul(), 8, 12, 4);
}

TEST(NestEval, MissingBarriersAreRaces) {
  std::vector<Memory> buffers = {counting(16), counting(16), unwritten_memory(Type::F32, 16)};
  Outcome o = evaluate(tiled_matmul({.before_use = false}), i64s({4, 4, 4}), buffers);
  // The first thread finds that nobody has written its neighbour's element.
  expect_trouble(o, Trouble::Unwritten, "thread 0 of block 0 reads ta_15[0][1]");

  buffers = {counting(32), counting(32), unwritten_memory(Type::F32, 16)};
  o = evaluate(tiled_matmul({.after_use = false}), i64s({4, 8, 4}), buffers);
  expect_trouble(o, Trouble::Race, "thread 1 of block 0 reads ta_15[0][0], which thread 0 writes at the same time");
}

TEST(NestEval, Reduces) {
  std::vector<Memory> buffers = {counting(128), unwritten_memory(Type::F32, 2)};
  expect_success(evaluate(block_sums(), i64s({2}), buffers));
  std::vector<double> in = floats(buffers[0]);
  EXPECT_THAT(floats(buffers[1]), ElementsAre(std::accumulate(in.begin(), in.begin() + 64, 0.0),
                                              std::accumulate(in.begin() + 64, in.end(), 0.0)));
}

TEST(NestEval, ReducesInWarps) {
  std::vector<Memory> buffers = {counting(96), unwritten_memory(Type::F32, 3)};
  expect_success(evaluate(warp_sums(), i64s({3}), buffers));
  std::vector<double> in = floats(buffers[0]);
  for (int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(buffers[1].data[static_cast<size_t>(row)].f,
              std::accumulate(in.begin() + 32 * row, in.begin() + 32 * (row + 1), 0.0));
  }
  buffers = {counting(96), unwritten_memory(Type::F32, 3)};
  expect_trouble(evaluate(warp_sums(false), i64s({3}), buffers), Trouble::Unwritten, "reads part_7[0][16]");
}

TEST(NestEval, Shuffles) {
  std::vector<Memory> buffers = {counting(64), unwritten_memory(Type::F32, 64)};
  expect_success(evaluate(rotated(), i64s({2}), buffers));
  std::vector<double> in = floats(buffers[0]), out = floats(buffers[1]);
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], in[i / 32 * 32 + (i + 5) % 32]);
}

// A shuffle is no barrier: what another lane stored before is not seen behind it.
TEST(NestEval, ShufflesOrderNothing) {
  Result<Kernel> k = read_kernel(R"(kernel f(out_1: global i64[32]) {
  for b_2 in 1 (grid) {
    alloc s_3: shared i64[32];
    for w_4 in 1 (warp) {
      for l_5 in 32 (lane) {
        s_3[l_5] := l_5;
        shuffle x_6: i64 = l_5 of lane 31 - l_5;
        out_1[l_5] := s_3[x_6];
      }
    }
  }
})");
  ASSERT_TRUE(k) << k.error().message;
  EXPECT_THAT(verify(*k), testing::IsEmpty());
  std::vector<Memory> buffers = {unwritten_memory(Type::I64, 32)};
  expect_trouble(evaluate(*k, {}, buffers), Trouble::Race, "reads s_3[31], which thread 31 writes");
}

TEST(NestEvalFinds, ShufflesWithLanesThatAreNone) {
  Result<Kernel> k = read_kernel(R"(kernel f() {
  for b_2 in 1 (grid) {
    for w_4 in 1 (warp) {
      for l_5 in 32 (lane) {
        shuffle x_6: i64 = l_5 of lane l_5 + 1;
      }
    }
  }
})");
  ASSERT_TRUE(k) << k.error().message;
  std::vector<Memory> buffers;
  expect_trouble(evaluate(*k, {}, buffers), Trouble::OutOfBounds, "thread 31 of block 0 shuffles with lane 32");
}

TEST(NestEval, UpdatesAtomically) {
  std::vector<Value> bins, zeros(3, Value::i32(0));
  for (int i = 0; i < 40; ++i) bins.push_back(Value::i32(i % 5 == 0 ? 2 : i % 2));
  std::vector<Memory> buffers = {memory_of(bins), memory_of(zeros)};
  expect_success(evaluate(histogram(), i64s({40, 3}), buffers));
  EXPECT_THAT(buffers[1].data, ElementsAre(Value::i32(16), Value::i32(16), Value::i32(8)));
  buffers[1] = memory_of(zeros);
  expect_success(evaluate(histogram(false), i64s({40, 3}), buffers));
  EXPECT_THAT(buffers[1].data, ElementsAre(Value::i32(38), Value::i32(39), Value::i32(35)));
}

TEST(NestEval, ReportsTheFirstFailure) {
  std::vector<Memory> buffers = {f32s({1, 4, 9, 16, 25, 36, 49, 64, 81, -2, 4, -3}), unwritten_memory(Type::F32, 12)};
  Outcome o = evaluate(checked_roots(), i64s({12}), buffers);
  EXPECT_FALSE(o.problem);
  ASSERT_TRUE(o.failed);
  EXPECT_EQ(o.failed->id, 7);
  EXPECT_THAT(o.failed->args, ElementsAre(Value::i64(9), Value::f32(-2)));
  EXPECT_EQ(o.failed->block, 1);
  EXPECT_EQ(o.failed->thread, 1);
  EXPECT_EQ(buffers[1].data[8], Value::f32(9)) << "other threads go on";
  EXPECT_FALSE(buffers[1].written[9]) << "the failed thread does not";
}

// ---- Planted mistakes, each in the middle of a well-formed kernel. ----

const Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, t{"t", 5}, x{"x", 6}, s{"s", 7}, i{"i", 8};

Kernel threads(Block body, int64_t num_threads = 4, int64_t num_blocks = 2) {
  return {"k",
          {{n, Type::I64}},
          {buffer(in, Type::F32, Space::Global, {v(n)}), buffer(out, Type::F32, Space::Global, {v(n)})},
          {loop(Role::Grid, b, i64(num_blocks),
                {stmt(Alloc{buffer(s, Type::F32, Space::Shared, {i64(8)})}),
                 loop(Role::Block, t, i64(num_threads), std::move(body))})}};
}

Outcome run(const Kernel& k, int64_t size = 16) {
  EXPECT_THAT(verify(k), testing::IsEmpty());
  std::vector<Memory> buffers = {counting(size), unwritten_memory(Type::F32, size)};
  return evaluate(k, i64s({size}), buffers);
}

Expr own() { return add(mul(v(b), i64(4)), v(t)); }

TEST(NestEvalFinds, AccessesOutOfBounds) {
  expect_trouble(run(threads({store(out, {sub(v(t), i64(1))}, f32(0))})), Trouble::OutOfBounds,
                 "thread 0 of block 0 accesses out_3[-1], but its size is [16]");
  expect_trouble(run(threads({let(x, at(in, {add(own(), i64(9))}))})), Trouble::OutOfBounds,
                 "thread 3 of block 1 accesses in_2[16]");
  expect_trouble(run(threads({store(s, {mul(v(t), i64(4))}, f32(0))})), Trouble::OutOfBounds, "accesses s_7[8]");
}

TEST(NestEvalFinds, EachDimensionsBounds) {
  Name a{"a", 9};
  Block body = {stmt(Alloc{buffer(a, Type::F32, Space::Register, {i64(2), i64(3)})}),
                store(a, {i64(0), i64(3)}, f32(0))};
  expect_trouble(run(threads(body)), Trouble::OutOfBounds, "accesses a_9[0][3], but its size is [2][3]");
}

TEST(NestEvalFinds, ReadsOfWhatNothingWrote) {
  expect_trouble(run(threads({let(x, at(out, {own()}))})), Trouble::Unwritten, "thread 0 of block 0 reads out_3[0]");
  expect_trouble(run(threads({let(x, at(s, {v(t)}))})), Trouble::Unwritten, "reads s_7[0]");
  Name a{"a", 9};
  Stmt alloc = stmt(Alloc{buffer(a, Type::F32, Space::Register, {})});
  expect_trouble(run(threads({alloc, let(x, at(a, {}))})), Trouble::Unwritten, "reads a_9");
  // A register does not keep its value from one round to the next.
  Block round = {alloc, when(less(v(i), i64(1)), {store(a, {}, f32(0))}), let(x, at(a, {}))};
  expect_trouble(run(threads({loop(Role::Serial, i, i64(2), round)})), Trouble::Unwritten, "reads a_9");
}

TEST(NestEvalFinds, SharedMemoryOfAnEarlierLife) {
  Name again{"again", 9};
  Block round = {stmt(Alloc{buffer(again, Type::F32, Space::Shared, {i64(4)})}),
                 when(less(v(i), i64(1)), {store(again, {v(t)}, f32(0))}), barrier(), let(x, at(again, {v(t)})),
                 barrier()};
  expect_trouble(run(threads({loop(Role::Serial, i, i64(2), round)})), Trouble::Unwritten, "reads again_9[0]");
}

TEST(NestEvalFinds, RacesWithinABlock) {
  expect_trouble(run(threads({store(s, {i64(0)}, f32(0))})), Trouble::Race,
                 "thread 1 of block 0 writes s_7[0], which thread 0 writes at the same time");
  expect_trouble(
      run(threads({store(s, {v(t)}, f32(0)), when(less(i64(0), v(t)), {let(x, at(s, {sub(v(t), i64(1))}))})})),
      Trouble::Race, "thread 1 of block 0 reads s_7[0], which thread 0 writes");
  Block ok = {store(s, {v(t)}, f32(0)), barrier(), when(less(i64(0), v(t)), {let(x, at(s, {sub(v(t), i64(1))}))})};
  expect_success(run(threads(ok)));
  Block late = ok;
  late.push_back(store(s, {v(t)}, f32(1)));
  expect_trouble(run(threads(late)), Trouble::Race, "thread 1 of block 0 reads s_7[0], which thread 0 writes");
}

TEST(NestEvalFinds, AReadByManyBeforeAWrite) {
  Block body = {when(less(v(t), i64(1)), {store(s, {i64(0)}, f32(0))}), barrier(), let(x, at(s, {i64(0)}))};
  expect_success(run(threads(body, 100)));
  body.push_back(when(less(i64(98), v(t)), {store(s, {i64(0)}, f32(0))}));
  expect_trouble(run(threads(body, 100)), Trouble::Race, "thread 99 of block 0 writes s_7[0]");
}

// The second block waits for what the first one says.
TEST(NestEval, BlocksExchangeDataThroughBuffersThatSaySo) {
  const std::string text = R"(kernel pass_on(
    words_1: global exchanged i64[2],
    out_2: global i64[2]) {
  for b_3 in 2 (grid) {
    for t_4 in 1 (block) {
      alloc seen_5: register i64;
      seen_5[] := 7;
      if 0 < b_3 {
        seen_5[] := 0;
        while seen_5[] == 0 {
          seen_5[] := words_1[b_3 - 1];
        }
      }
      words_1[b_3] := seen_5[] + 1;
      out_2[b_3] := seen_5[];
    }
  }
}
)";
  Result<Kernel> kernel = read_kernel(text);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(to_text(*kernel), text);
  std::vector<Memory> buffers = {memory_of({Value::i64(0), Value::i64(0)}), unwritten_memory(Type::I64, 2)};
  std::vector<Memory> of_others = buffers;
  expect_success(evaluate(*kernel, {}, buffers));
  EXPECT_EQ(buffers[1].data[1], Value::i64(8));
  kernel->buffers[0].exchanged = false;
  expect_trouble(evaluate(*kernel, {}, of_others), Trouble::Race, "reads words_1[0], which block 0 writes");
}

TEST(NestEvalFinds, RacesBetweenBlocks) {
  expect_trouble(run(threads({when(less(v(t), i64(1)), {store(out, {i64(0)}, f32(0))})})), Trouble::Race,
                 "thread 0 of block 1 writes out_3[0], which block 0 writes");
  // A barrier does not reach other blocks.
  Block body = {store(out, {own()}, f32(0)), barrier(), when(less(v(b), i64(1)), {}),
                when(less(i64(0), v(b)), {let(x, at(out, {sub(own(), i64(4))}))})};
  expect_trouble(run(threads(body)), Trouble::Race, "thread 0 of block 1 reads out_3[0], which block 0 writes");
}

TEST(NestEvalFinds, PlainAccessesAmongAtomicOnes) {
  Stmt update = stmt(AtomicUpdate{s, {i64(0)}, x, {}, fadd(var(x, Type::F32), f32(1))});
  Block first = {when(less(v(t), i64(1)), {store(s, {i64(0)}, f32(0))}), barrier()};
  Block ok = first;
  ok.push_back(update);
  expect_success(run(threads(ok)));
  Block bad = ok;
  bad.push_back(let(i, at(s, {i64(0)})));
  expect_trouble(run(threads(bad)), Trouble::Race, "thread 1 of block 0 updates s_7[0], which thread 0 reads");
}

TEST(NestEvalFinds, PlainAccessesAmongLockedOnes) {
  const Name locks{"locks", 90};
  Block first = {
      stmt(Alloc{buffer(locks, Type::I32, Space::Shared, {i64(1)})}),
      when(less(v(t), i64(1)), {store(locks, {i64(0)}, constant(Value::i32(0))), store(s, {i64(0)}, f32(0))}),
      barrier()};
  Block ok = first;
  ok.push_back(stmt(Locked{locks, {i64(0)}, {store(s, {i64(0)}, fadd(at(s, {i64(0)}), f32(1)))}}));
  expect_success(run(threads(ok)));
  Block bad = ok;
  bad.push_back(let(i, at(s, {i64(0)})));
  expect_trouble(run(threads(bad)), Trouble::Race, "thread 1 of block 0 updates s_7[0], which thread 0 reads");
  // A lock that nobody has made.
  expect_trouble(run(threads({first[0], stmt(Locked{locks, {i64(0)}, {}})})), Trouble::Unwritten, "locks_90[0]");
}

TEST(NestEvalFinds, DivergingBarriers) {
  // Not verified: the verifier would already refuse these.
  std::vector<Memory> buffers = {counting(16), unwritten_memory(Type::F32, 16)};
  Outcome o = evaluate(threads({when(less(v(t), i64(2)), {barrier()})}), i64s({16}), buffers);
  expect_trouble(o, Trouble::Divergence, "thread 2 does not reach a barrier at which others wait");
  Stmt either = stmt(If{less(v(t), i64(2)), {barrier()}, {barrier()}});
  expect_trouble(evaluate(threads({either}), i64s({16}), buffers), Trouble::Divergence,
                 "thread 2 waits at another barrier");
}

TEST(NestEvalFinds, UndefinedOperations) {
  expect_trouble(run(threads({let(x, div(i64(1), v(t)))})), Trouble::Undefined, "computes sdiv64(1i64, 0i64)");
  Expr guarded = select(less(v(t), i64(1)), i64(0), div(i64(1), v(t)));
  expect_success(run(threads({let(x, guarded)})));
}

TEST(NestEvalFinds, EndlessLoops) {
  Kernel k = threads({stmt(While{constant(Value::of_bool(true)), {}})});
  std::vector<Memory> buffers = {counting(16), unwritten_memory(Type::F32, 16)};
  expect_trouble(evaluate(k, i64s({16}), buffers, {.max_steps = 1000}), Trouble::TooLong, "1000 steps");
}

TEST(NestEvalFinds, WrongArguments) {
  std::vector<Memory> none;
  expect_trouble(evaluate(copy(), i64s({1}), none), Trouble::BadArguments, "takes 1 scalars and 2 buffers");
  std::vector<Memory> buffers = {counting(3), unwritten_memory(Type::F32, 4)};
  expect_trouble(evaluate(copy(), i64s({4}), buffers), Trouble::BadArguments,
                 "in_2[3] is not within the memory given for it");
  expect_trouble(evaluate(copy(), {Value::i32(4)}, buffers), Trouble::BadArguments, "4i32 is not of type i64");
}

TEST(NestEval, SurplusThreadsAndBlocksDoNothing) {
  Name u{"u", 9};
  Kernel k = threads({store(out, {own()}, f32(1))});
  // As many threads again, and more blocks, for a loop of their own.
  k.body.push_back(loop(Role::Grid, x, i64(5), {loop(Role::Block, u, i64(8), {})}));
  std::vector<Memory> buffers = {counting(16), unwritten_memory(Type::F32, 16)};
  expect_success(evaluate(k, i64s({16}), buffers));
  EXPECT_EQ(std::ranges::count(buffers[1].written, true), 8);
}

TEST(NestEval, FailedThreadsDoNotHoldUpBarriers) {
  Outcome o = run(threads({when(less(v(t), i64(2)), {stmt(Fail{1, {}})}), barrier(), let(x, at(out, {v(t)}))}));
  EXPECT_FALSE(o.problem) << o.problem->text;
  ASSERT_TRUE(o.failed);
  EXPECT_EQ(o.failed->thread, 0);
}

TEST(NestEval, StridesAndOffsetSayWhereElementsLie) {
  Kernel k = copy();
  k.buffers[0].strides = {i64(-2)};
  std::vector<Memory> buffers = {counting(7), unwritten_memory(Type::F32, 4)};
  buffers[0].offset = 6;
  expect_success(evaluate(k, i64s({4}), buffers));
  EXPECT_THAT(floats(buffers[1]), ElementsAre(6, 4, 2, 0));
}

TEST(NestEval, Expressions) {
  std::unordered_map<Name, Value> values = {{n, Value::i64(7)}};
  EXPECT_EQ(evaluate(ceil_div(v(n), i64(4)), values), Value::i64(2));
  EXPECT_EQ(evaluate(v(x), values), std::nullopt);
  EXPECT_EQ(evaluate(div(v(n), i64(0)), values), std::nullopt);
}

// ---- The race detector by itself. ----

Moment moment(int thread, int block_barriers, int warp_barriers, int64_t block = 0) {
  return {block, thread, thread / 32, block_barriers, warp_barriers};
}

TEST(NestEvalRaces, WarpBarriersOrderOnlyTheirWarp) {
  AccessHistory same, other;
  EXPECT_FALSE(same.access(Access::Write, moment(0, 0, 0)));
  EXPECT_FALSE(same.access(Access::Read, moment(1, 0, 1)));
  EXPECT_FALSE(other.access(Access::Write, moment(0, 0, 0)));
  EXPECT_TRUE(other.access(Access::Read, moment(40, 0, 1)));
}

TEST(NestEvalRaces, RemembersReadersOfBothWarps) {
  // Whoever of these many readers is kept, a write by any of them or by others must be found.
  for (int writer : {0, 1, 2, 40, 41, 70}) {
    AccessHistory h;
    for (int reader : {0, 1, 40, 2, 41}) EXPECT_FALSE(h.access(Access::Read, moment(reader, 0, 0)));
    EXPECT_TRUE(h.access(Access::Write, moment(writer, 0, 0))) << writer;
  }
  AccessHistory h;
  for (int reader : {0, 1}) EXPECT_FALSE(h.access(Access::Read, moment(reader, 0, 0)));
  EXPECT_FALSE(h.access(Access::Read, moment(2, 0, 1)));
  EXPECT_FALSE(h.access(Access::Write, moment(2, 0, 1))) << "the others read before the warp's barrier";
  EXPECT_TRUE(h.access(Access::Write, moment(3, 0, 1)));
}

}  // namespace
}  // namespace heddle::nest
