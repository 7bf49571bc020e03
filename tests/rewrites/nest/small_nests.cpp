#include "tests/rewrites/nest/small_nests.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/compare.h"
#include "rewrites/nest/distribute.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"

namespace heddle::nest::examples {

using prim::Type;

void expect_same(const Kernel& before, const Kernel& after, const Values& values) {
  std::unordered_map<Name, prim::Value> all;
  std::string text;
  for (const auto& [name, value] : values) {
    all.emplace(name, prim::Value::i64(value));
    text += name.base + " = " + std::to_string(value) + " ";
  }
  Expected expected(before, all);
  ASSERT_EQ(expected.problem(), std::nullopt) << text;
  EXPECT_EQ(expected.difference(after), "") << text << "\n" << to_text(after);
}

std::string difference(const Kernel& before, const Kernel& after, const Values& values) {
  std::unordered_map<Name, prim::Value> all;
  for (const auto& [name, value] : values) all.emplace(name, prim::Value::i64(value));
  return Expected(before, all).difference(after);
}

std::vector<int64_t> awkward_sizes(int64_t tile) { return {0, 1, tile - 1, tile, tile + 1, 2 * tile, 7, 11}; }

Kernel rewritten(const Result<Rewritten>& result) {
  if (result) return result->kernel;
  ADD_FAILURE() << result.error().message;
  return {};
}

std::string refusal(const Result<Rewritten>& result) { return result ? "done" : result.error().message; }

namespace {

Kernel kernel(const Names& names, std::vector<Name> scalars, std::vector<Buffer> buffers, Block body) {
  Kernel k;
  k.name = "small";
  for (const Name& s : scalars) k.scalars.push_back({s, Type::I64});
  k.buffers = std::move(buffers);
  k.body = std::move(body);
  k.constants = {names.tile, names.points};
  return k;
}

Buffer global(const Name& name, std::vector<Expr> dims) {
  return buffer(name, Type::F32, Space::Global, std::move(dims));
}

}  // namespace

Kernel vector_kernel(const Names& s, Block body) {
  return kernel(s, {s.n}, {global(s.in, {v(s.n)}), global(s.both, {add(v(s.n), i64(1))}), global(s.out, {v(s.n)})},
                {loop(Role::Serial, s.i, v(s.n), std::move(body))});
}

Kernel matrix_kernel(const Names& s, Block body) {
  return kernel(s, {s.n, s.m},
                {global(s.in, {v(s.n), v(s.m)}), global(s.both, {add(v(s.n), i64(1)), add(v(s.m), i64(1))}),
                 global(s.out, {v(s.n), v(s.m)})},
                {loop(Role::Serial, s.i, v(s.n), std::move(body))});
}

Kernel filter_kernel(const Names& s) {
  Expr product = fmul(at(s.in, {add(v(s.i), v(s.k))}), at(s.weights, {v(s.k)}));
  Block point = {stmt(Alloc{buffer(s.acc, Type::F32, Space::Register, {})}), store(s.acc, {}, f32(0)),
                 loop(Role::Serial, s.k, v(s.m), {store(s.acc, {}, fadd(at(s.acc, {}), product))}),
                 let(s.sum, at(s.acc, {})), store(s.out, {v(s.i)}, var(s.sum, Type::F32))};
  return kernel(s, {s.n, s.m},
                {global(s.in, {add(v(s.n), v(s.m))}), global(s.weights, {v(s.m)}), global(s.out, {v(s.n)})},
                {loop(Role::Serial, s.i, v(s.n), point)});
}

Filter::Filter() {
  Result<Rewritten> blocks = stripmine(plain, s.i, mul(v(s.tile), v(s.points)), "block", "in_block", s.fresh);
  Kernel k = rewritten(predicate(blocks->kernel, blocks->loops[1]));
  Result<Rewritten> threads = stripmine(k, blocks->loops[1], v(s.points), "thread", "point", s.fresh);
  Result<Rewritten> three = distribute(threads->kernel, threads->loops[1], s.fresh);
  points = three->loops.at(1);
  k = rewritten(parallelize(three->kernel, blocks->loops[0], Role::Grid, s.fresh));
  kernel = rewritten(parallelize(k, threads->loops[0], Role::Block, s.fresh));
}

void Filter::expect_computes_the_same(const Kernel& after) const {
  auto compare = [&](int64_t tile, int64_t points, int64_t n, int64_t m) {
    expect_same(plain, after, {{s.n, n}, {s.m, m}, {s.tile, tile}, {s.points, points}});
  };
  for (int64_t n : awkward_sizes(6)) compare(2, 3, n, 2);
  for (int64_t m : {0, 1, 5}) {
    for (auto [tile, points] : {std::pair<int64_t, int64_t>{1, 2}, {4, 1}, {3, 2}}) compare(tile, points, 7, m);
  }
}

}  // namespace heddle::nest::examples
