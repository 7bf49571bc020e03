#include "tests/rewrites/nest/small_nests.h"

#include "ir/nest/printer.h"
#include "rewrites/nest/compare.h"

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

}  // namespace heddle::nest::examples
