#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/nest/verify.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Family;
using prim::Op;
using prim::Type;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, t{"t", 5}, x{"x", 6}, y{"y", 7}, u{"u", 8};

// A kernel whose threads, 32 in each of n blocks, execute `body`.
Kernel threads(Block body, Block before = {}) {
  before.push_back(loop(Role::Block, t, i64(32), std::move(body)));
  return {"k",
          {{n, Type::I64}},
          {buffer(in, Type::F32, Space::Global, {v(n)}), buffer(out, Type::F32, Space::Global, {v(n)})},
          {loop(Role::Grid, b, v(n), std::move(before))}};
}

#define EXPECT_PROBLEM(kernel, text) EXPECT_THAT(verify(kernel), ElementsAre(HasSubstr(text)))

TEST(NestVerify, ExamplesAreWellFormed) {
  for (const Kernel& k : {copy(), matmul(), tiled_matmul(), block_sums(), warp_sums(), rotated(), histogram(),
                          histogram(false), checked_roots(), threads({})}) {
    EXPECT_THAT(verify(k), IsEmpty()) << k.name;
  }
}

TEST(NestVerify, NamesAreInScopeAndBoundOnce) {
  EXPECT_PROBLEM(threads({let(x, v(y))}), "no variable y_7 is in scope, at `let x_6: i64 = y_7;`");
  EXPECT_PROBLEM(threads({when(less(v(t), i64(1)), {let(x, i64(1))}), let(y, v(x))}), "no variable x_6");
  EXPECT_PROBLEM(threads({let(x, i64(1)), let(x, i64(2))}), "x_6 is bound twice");
  EXPECT_PROBLEM(threads({let(x, at(y, {v(t)}))}), "no buffer y_7");
  EXPECT_PROBLEM(threads({let(x, v(in))}), "no variable in_2");
  Kernel k = copy();
  k.name = "not a name";
  EXPECT_PROBLEM(k, "not a C identifier");
}

TEST(NestVerify, Types) {
  EXPECT_PROBLEM(threads({let(x, i64(1)), let(y, var(x, Type::I32))}), "x_6 has type i64 but is used as i32");
  EXPECT_PROBLEM(threads({store(out, {v(t)}, i64(1))}), "holds f32 but is accessed as i64");
  EXPECT_PROBLEM(threads({let(x, load(in, Type::F64, {v(t)}))}), "holds f32 but is accessed as f64");
  EXPECT_PROBLEM(threads({when(i64(1), {})}), "a condition has type i64 instead of bool");
  EXPECT_PROBLEM(threads({loop(Role::Serial, x, f32(1), {})}), "an extent has type f32");
  EXPECT_PROBLEM(threads({store(out, {f32(0)}, f32(0))}), "an index has type f32");
}

TEST(NestVerify, Accesses) {
  EXPECT_PROBLEM(threads({store(out, {v(t), v(b)}, f32(0))}), "has 1 dimensions but is accessed with 2 indices");
  EXPECT_PROBLEM(threads({let(x, at(in, {}))}), "accessed with 0 indices");
}

TEST(NestVerify, Buffers) {
  EXPECT_PROBLEM(threads({stmt(Alloc{buffer(x, Type::F32, Space::Register, {v(n)})})}),
                 "a register buffer must be constant");
  EXPECT_PROBLEM(threads({stmt(Alloc{buffer(x, Type::F32, Space::Shared, {add(v(t), i64(1))})})}),
                 "must depend on scalar parameters only");
  EXPECT_PROBLEM(threads({stmt(Alloc{buffer(x, Type::F32, Space::Global, {i64(1)})})}),
                 "only parameters are in global memory");
  EXPECT_PROBLEM(threads({stmt(Alloc{Buffer{x, Type::F32, Space::Register, {i64(2)}, {}}})}),
                 "as many strides as dimensions");
  Kernel k = threads({});
  k.buffers[0].space = Space::Shared;
  EXPECT_PROBLEM(k, "a parameter must be in global memory");
}

TEST(NestVerify, BlocksExchangeDataInGlobalMemory) {
  Buffer of_block = buffer(y, Type::F32, Space::Shared, {i64(4)});
  of_block.exchanged = true;
  EXPECT_PROBLEM(threads({stmt(Alloc{of_block})}), "blocks exchange data in global memory only");
}

TEST(NestVerify, NobodyWritesWhatIsReadOnce) {
  Kernel k = threads({store(out, {v(t)}, at(in, {v(t)}))});
  k.buffers[0].read_once = true;
  EXPECT_THAT(verify(k), IsEmpty());
  std::swap(k.buffers[0].read_once, k.buffers[1].read_once);
  EXPECT_PROBLEM(k, "what is read once nobody writes");
  k = threads({});
  k.buffers[0].read_once = k.buffers[0].exchanged = true;
  EXPECT_PROBLEM(k, "does not change");
}

TEST(NestVerify, OrderOfRoles) {
  EXPECT_PROBLEM(threads({loop(Role::Grid, x, i64(2), {})}), "a grid loop cannot be inside a block loop");
  EXPECT_PROBLEM(threads({loop(Role::Lane, x, i64(16), {})}), "must have 32 iterations together");
  EXPECT_THAT(verify(threads({loop(Role::Lane, x, i64(32), {loop(Role::Warp, y, i64(2), {})})})),
              Contains(HasSubstr("a warp loop cannot be inside a lane loop")));
  EXPECT_THAT(verify(threads({loop(Role::Lane, x, i64(4), {loop(Role::Lane, y, i64(8), {})})})), IsEmpty());
  EXPECT_PROBLEM(threads({loop(Role::Block, x, i64(2), {}), loop(Role::Block, y, i64(3), {})}),
                 "must have the same extents");
  EXPECT_PROBLEM(threads({loop(Role::Unrolled, x, v(n), {})}), "a loop that is unrolled must be constant");
  EXPECT_THAT(verify(threads({loop(Role::Unrolled, x, i64(4), {loop(Role::Unrolled, y, v(x), {})})})), IsEmpty());
  EXPECT_PROBLEM(threads({loop(Role::Serial, x, i64(4), {loop(Role::Unrolled, y, v(x), {})})}),
                 "a loop that is unrolled must be constant");
}

TEST(NestVerify, Launches) {
  EXPECT_PROBLEM(threads({loop(Role::Block, x, v(t), {})}), "a block loop must depend on scalar parameters only");
  EXPECT_PROBLEM(threads({}, {let(x, i64(4)), loop(Role::Block, y, v(x), {})}),
                 "must depend on scalar parameters only");
  EXPECT_PROBLEM(threads({loop(Role::Block, x, load(Name{"sizes", 9}, Type::I64, {}), {})},
                         {stmt(Alloc{buffer(Name{"sizes", 9}, Type::I64, Space::Register, {})})}),
                 "must depend on scalar parameters only");
}

TEST(NestVerify, BarriersAreReachedByAll) {
  EXPECT_THAT(verify(threads({when(less(v(b), i64(1)), {barrier()})})), IsEmpty());
  EXPECT_PROBLEM(threads({when(less(v(t), i64(1)), {barrier()})}), "not all threads may reach this barrier");
  EXPECT_PROBLEM(threads({let(x, add(v(t), v(b))), loop(Role::Serial, y, v(x), {barrier()})}), "not all threads");
  // Through a register that only some threads change, and only in a later round.
  Name flag{"flag", 9};
  Expr f = load(flag, Type::Bool, {});
  Block body = {
      stmt(Alloc{buffer(flag, Type::Bool, Space::Register, {})}), store(flag, {}, constant(prim::Value::of_bool(true))),
      loop(Role::Serial, x, v(n),
           {when(f, {barrier()}), when(less(v(t), v(x)), {store(flag, {}, constant(prim::Value::of_bool(false)))})})};
  EXPECT_PROBLEM(threads(body), "not all threads");
  // What all threads read from the same place is the same, unless it is updated on the way.
  EXPECT_THAT(verify(threads({when(operation(Op(Family::FLt, Type::F32), {at(in, {v(b)}), f32(0)}), {barrier()})})),
              IsEmpty());
  Expr first = at(out, {i64(0)});
  EXPECT_PROBLEM(threads({stmt(AtomicUpdate{out, {i64(0)}, x, {}, fadd(var(x, Type::F32), f32(1))}),
                          when(operation(Op(Family::FLt, Type::F32), {first, f32(0)}), {barrier()})}),
                 "not all threads");
}

TEST(NestVerify, BarriersOfWarps) {
  auto warps = [](Block lane) {
    return threads({}, {loop(Role::Warp, x, i64(1), {loop(Role::Lane, y, i64(32), std::move(lane))})});
  };
  EXPECT_THAT(verify(warps({when(less(v(x), i64(1)), {barrier(Scope::Warp)})})), IsEmpty());
  EXPECT_PROBLEM(warps({when(less(v(y), i64(1)), {barrier(Scope::Warp)})}), "not all threads");
  EXPECT_PROBLEM(warps({when(less(v(x), i64(1)), {barrier()})}), "not all threads");
}

TEST(NestVerify, ShufflesOfWarps) {
  auto warps = [](Block lane) {
    return threads({}, {loop(Role::Warp, x, i64(1), {loop(Role::Lane, y, i64(32), std::move(lane))})});
  };
  const Name other{"other", 9};
  auto shuffle = [&](const Expr& value) { return stmt(Shuffle{other, value, v(y)}); };
  EXPECT_THAT(verify(warps({when(less(v(x), i64(1)), {shuffle(v(y))})})), IsEmpty());
  EXPECT_PROBLEM(warps({when(less(v(y), i64(1)), {shuffle(v(y))})}), "not all lanes");
  // What another lane has need not be what this one has.
  EXPECT_PROBLEM(warps({shuffle(v(x)), when(less(v(other), i64(1)), {barrier(Scope::Warp)})}), "not all threads");
  // Threads of a block are lanes by their numbers.
  EXPECT_THAT(verify(threads({stmt(Shuffle{other, v(t), i64(2)})})), IsEmpty());
  EXPECT_PROBLEM(threads({when(less(v(t), i64(1)), {stmt(Shuffle{other, v(t), i64(2)})})}), "not all lanes");
  EXPECT_PROBLEM(threads({}, {stmt(Shuffle{other, i64(1), i64(2)})}), "only threads of a block shuffle");
  EXPECT_PROBLEM(warps({stmt(Shuffle{other, v(y), f32(1)})}), "the number of a lane has type f32");
}

TEST(NestVerify, BarriersAmongSurplusThreads) {
  EXPECT_PROBLEM(threads({barrier()}, {loop(Role::Block, u, i64(64), {})}),
                 "the threads that have no part in this loop");
  EXPECT_THAT(verify(threads({}, {loop(Role::Block, u, i64(64), {barrier()})})), IsEmpty());
  EXPECT_THAT(verify(threads({}, {loop(Role::Block, u, i64(64), {}), barrier()})), IsEmpty());
}

TEST(NestVerify, AtomicUpdates) {
  auto update = [](const Name& target, std::vector<Expr> index, Block compute) {
    return stmt(AtomicUpdate{target, std::move(index), x, std::move(compute), fadd(var(x, Type::F32), f32(1))});
  };
  EXPECT_THAT(verify(threads({update(out, {i64(0)}, {let(y, i64(0))})})), IsEmpty());
  EXPECT_PROBLEM(threads({update(out, {i64(0)}, {store(out, {v(t)}, f32(0))})}), "may only write buffers of its own");
  EXPECT_PROBLEM(threads({update(out, {i64(0)}, {barrier()})}), "belongs to one thread");
  EXPECT_PROBLEM(threads({stmt(Alloc{buffer(u, Type::F32, Space::Register, {})}), update(u, {}, {})}),
                 "need no atomic update");
}

TEST(NestVerify, Locks) {
  const Name locks{"locks", 90};
  auto locked = [&](Block body, Type word = Type::I32, Space space = Space::Shared) {
    return threads(
        {stmt(Alloc{buffer(locks, word, space, {i64(4)})}), stmt(Locked{locks, {mod(v(t), i64(4))}, std::move(body)})});
  };
  EXPECT_THAT(verify(locked({store(out, {i64(0)}, f32(0))})), IsEmpty());
  EXPECT_PROBLEM(locked({stmt(Locked{locks, {i64(0)}, {}})}), "takes no other");
  EXPECT_PROBLEM(locked({stmt(AtomicUpdate{out, {i64(0)}, x, {}, f32(0)}), barrier()}), "may not hold a lock");
  EXPECT_PROBLEM(locked({stmt(Fail{0, {}})}), "may not hold a lock");
  EXPECT_PROBLEM(locked({}, Type::F32), "a lock is an i32 or i64");
  EXPECT_PROBLEM(locked({}, Type::I32, Space::Register), "need no lock");
}

}  // namespace
}  // namespace heddle::nest
