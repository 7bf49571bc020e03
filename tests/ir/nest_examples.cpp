#include "tests/ir/nest_examples.h"

namespace heddle::nest::examples {

using prim::Family;
using prim::Op;
using prim::Type;

Expr i64(int64_t x) { return constant(x); }
Expr f32(float x) { return constant(prim::Value::f32(x)); }
Expr v(const Name& name) { return var(name, Type::I64); }
Expr fadd(Expr a, Expr b) { return operation(Op(Family::FAdd, Type::F32), {std::move(a), std::move(b)}); }
Expr fmul(Expr a, Expr b) { return operation(Op(Family::FMul, Type::F32), {std::move(a), std::move(b)}); }
Stmt loop(Role role, const Name& index, Expr extent, Block body) {
  return stmt(For{index, std::move(extent), role, std::move(body)});
}
Stmt let(const Name& name, Expr value) { return stmt(Let{name, std::move(value)}); }
Stmt store(const Name& buffer, std::vector<Expr> index, Expr value) {
  return stmt(Store{buffer, std::move(index), std::move(value)});
}
Stmt barrier(Scope scope) { return stmt(Barrier{scope}); }
Stmt when(Expr condition, Block body) { return stmt(If{std::move(condition), std::move(body), {}}); }
Buffer buffer(const Name& name, Type elem, Space space, std::vector<Expr> dims) {
  std::vector<Expr> strides = dense_strides(dims);
  return {name, elem, space, std::move(dims), std::move(strides)};
}
Expr at(const Name& buffer, std::vector<Expr> index) { return load(buffer, Type::F32, std::move(index)); }

Kernel copy() {
  Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, t{"t", 5}, i{"i", 6};
  return {"copy",
          {{n, Type::I64}},
          {buffer(in, Type::F32, Space::Global, {v(n)}), buffer(out, Type::F32, Space::Global, {v(n)})},
          {loop(Role::Grid, b, ceil_div(v(n), i64(32)),
                {loop(Role::Block, t, i64(32),
                      {let(i, add(mul(v(b), i64(32)), v(t))),
                       when(less(v(i), v(n)), {store(out, {v(i)}, at(in, {v(i)}))})})})}};
}

Kernel matmul() {
  Name n{"n", 1}, m{"m", 2}, k{"k", 3}, a{"a", 4}, b{"b", 5}, c{"c", 6}, by{"by", 7}, bx{"bx", 8}, ty{"ty", 9},
      tx{"tx", 10}, i{"i", 11}, j{"j", 12}, r{"r", 13}, acc{"acc", 14};
  Block point = {
      stmt(Alloc{buffer(acc, Type::F32, Space::Register, {})}), store(acc, {}, f32(0)),
      loop(Role::Serial, r, v(m), {store(acc, {}, fadd(at(acc, {}), fmul(at(a, {v(i), v(r)}), at(b, {v(r), v(j)}))))}),
      store(c, {v(i), v(j)}, at(acc, {}))};
  Block thread = {let(i, add(mul(v(by), i64(4)), v(ty))), let(j, add(mul(v(bx), i64(8)), v(tx))),
                  when(both(less(v(i), v(n)), less(v(j), v(k))), point)};
  Block block = {loop(Role::Block, ty, i64(4), {loop(Role::Block, tx, i64(8), thread)})};
  return {"matmul",
          {{n, Type::I64}, {m, Type::I64}, {k, Type::I64}},
          {buffer(a, Type::F32, Space::Global, {v(n), v(m)}), buffer(b, Type::F32, Space::Global, {v(m), v(k)}),
           buffer(c, Type::F32, Space::Global, {v(n), v(k)})},
          {loop(Role::Grid, by, ceil_div(v(n), i64(4)), {loop(Role::Grid, bx, ceil_div(v(k), i64(8)), block)})}};
}

Kernel tiled_matmul(Barriers barriers) {
  Name n{"n", 1}, m{"m", 2}, k{"k", 3}, a{"a", 4}, b{"b", 5}, c{"c", 6}, by{"by", 7}, bx{"bx", 8}, ty{"ty", 9},
      tx{"tx", 10}, i{"i", 11}, j{"j", 12}, r{"r", 13}, acc{"acc", 14}, ta{"ta", 15}, tb{"tb", 16}, s{"s", 17};
  auto tile = [](const Name& name) { return buffer(name, Type::F32, Space::Shared, {i64(4), i64(4)}); };
  Block step = {store(ta, {v(ty), v(tx)}, at(a, {v(i), add(mul(v(r), i64(4)), v(tx))})),
                store(tb, {v(ty), v(tx)}, at(b, {add(mul(v(r), i64(4)), v(ty)), v(j)}))};
  if (barriers.before_use) step.push_back(barrier());
  step.push_back(loop(Role::Unrolled, s, i64(4),
                      {store(acc, {}, fadd(at(acc, {}), fmul(at(ta, {v(ty), v(s)}), at(tb, {v(s), v(tx)}))))}));
  if (barriers.after_use) step.push_back(barrier());
  Block thread = {let(i, add(mul(v(by), i64(4)), v(ty))),
                  let(j, add(mul(v(bx), i64(4)), v(tx))),
                  stmt(Alloc{buffer(acc, Type::F32, Space::Register, {})}),
                  store(acc, {}, f32(0)),
                  loop(Role::Serial, r, div(v(m), i64(4)), step),
                  store(c, {v(i), v(j)}, at(acc, {}))};
  Block block = {stmt(Alloc{tile(ta)}), stmt(Alloc{tile(tb)}),
                 loop(Role::Block, ty, i64(4), {loop(Role::Block, tx, i64(4), thread)})};
  return {"tiled_matmul",
          {{n, Type::I64}, {m, Type::I64}, {k, Type::I64}},
          {buffer(a, Type::F32, Space::Global, {v(n), v(m)}), buffer(b, Type::F32, Space::Global, {v(m), v(k)}),
           buffer(c, Type::F32, Space::Global, {v(n), v(k)})},
          {loop(Role::Grid, by, div(v(n), i64(4)), {loop(Role::Grid, bx, div(v(k), i64(4)), block)})}};
}

Kernel block_sums() {
  Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, t{"t", 5}, part{"part", 6}, width{"width", 7};
  Expr w = load(width, Type::I64, {});
  Block halve = {store(width, {}, div(w, i64(2))),
                 when(less(v(t), w), {store(part, {v(t)}, fadd(at(part, {v(t)}), at(part, {add(v(t), w)})))}),
                 barrier()};
  Block thread = {store(part, {v(t)}, at(in, {v(b), v(t)})),
                  barrier(),
                  stmt(Alloc{buffer(width, Type::I64, Space::Register, {})}),
                  store(width, {}, i64(64)),
                  stmt(While{less(i64(1), w), halve}),
                  when(less(v(t), i64(1)), {store(out, {v(b)}, at(part, {i64(0)}))})};
  return {
      "block_sums",
      {{n, Type::I64}},
      {buffer(in, Type::F32, Space::Global, {v(n), i64(64)}), buffer(out, Type::F32, Space::Global, {v(n)})},
      {loop(Role::Grid, b, v(n),
            {stmt(Alloc{buffer(part, Type::F32, Space::Shared, {i64(64)})}), loop(Role::Block, t, i64(64), thread)})}};
}

Kernel warp_sums(bool with_barriers) {
  Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, w{"w", 5}, l{"l", 6}, part{"part", 7}, s{"s", 8},
      row{"row", 9}, half{"half", 10};
  Block halve = {let(half, operation(Op(Family::AShr, Type::I64), {i64(16), v(s)})),
                 when(less(v(l), v(half)),
                      {store(part, {v(w), v(l)}, fadd(at(part, {v(w), v(l)}), at(part, {v(w), add(v(l), v(half))})))})};
  if (with_barriers) halve.insert(halve.begin(), barrier(Scope::Warp));
  Block lane = {store(part, {v(w), v(l)}, at(in, {v(row), v(l)})), loop(Role::Serial, s, i64(5), halve),
                when(less(v(l), i64(1)), {store(out, {v(row)}, at(part, {v(w), v(l)}))})};
  Block warp = {let(row, add(mul(v(b), i64(2)), v(w))), when(less(v(row), v(n)), {loop(Role::Lane, l, i64(32), lane)})};
  return {"warp_sums",
          {{n, Type::I64}},
          {buffer(in, Type::F32, Space::Global, {v(n), i64(32)}), buffer(out, Type::F32, Space::Global, {v(n)})},
          {loop(Role::Grid, b, ceil_div(v(n), i64(2)),
                {stmt(Alloc{buffer(part, Type::F32, Space::Shared, {i64(2), i64(32)})}),
                 loop(Role::Warp, w, i64(2), warp)})}};
}

Kernel rotated(Type elem) {
  Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, w{"w", 5}, l{"l", 6}, other{"other", 7};
  Expr lane = operation(Op(Family::And, Type::I64), {add(v(l), i64(5)), i64(31)});
  Block body = {stmt(Shuffle{other, load(in, elem, {v(b), v(l)}), lane}), store(out, {v(b), v(l)}, var(other, elem))};
  return {std::string("rotated_") + std::string(prim::name(elem)),
          {{n, Type::I64}},
          {buffer(in, elem, Space::Global, {v(n), i64(32)}), buffer(out, elem, Space::Global, {v(n), i64(32)})},
          {loop(Role::Grid, b, v(n), {loop(Role::Warp, w, i64(1), {loop(Role::Lane, l, i64(32), body)})})}};
}

Kernel histogram(bool with_sum) {
  Name n{"n", 1}, k{"k", 2}, in{"in", 3}, hist{"hist", 4}, b{"b", 5}, t{"t", 6}, i{"i", 7}, old{"old", 8};
  Expr bin = operation(Op(Family::SExt, Type::I32, Type::I64), {load(in, Type::I32, {v(i)})});
  Expr before = var(old, Type::I32);
  Expr sum = operation(Op(Family::Add, Type::I32), {before, constant(prim::Value::i32(1))});
  Expr most =
      operation(Op(Family::SMax, Type::I32), {before, operation(Op(Family::SExt, Type::I64, Type::I32), {v(i)})});
  return {with_sum ? "histogram" : "last_index",
          {{n, Type::I64}, {k, Type::I64}},
          {buffer(in, Type::I32, Space::Global, {v(n)}), buffer(hist, Type::I32, Space::Global, {v(k)})},
          {loop(Role::Grid, b, ceil_div(v(n), i64(16)),
                {loop(Role::Block, t, i64(16),
                      {let(i, add(mul(v(b), i64(16)), v(t))),
                       when(less(v(i), v(n)), {stmt(AtomicUpdate{hist, {bin}, old, {}, with_sum ? sum : most})})})})}};
}

Kernel checked_roots() {
  Name n{"n", 1}, in{"in", 2}, out{"out", 3}, b{"b", 4}, t{"t", 5}, i{"i", 6}, x{"x", 7};
  Expr value = var(x, Type::F32);
  Expr negative = operation(Op(Family::FLt, Type::F32), {value, f32(0)});
  return {"checked_roots",
          {{n, Type::I64}},
          {buffer(in, Type::F32, Space::Global, {v(n)}), buffer(out, Type::F32, Space::Global, {v(n)})},
          {loop(Role::Grid, b, ceil_div(v(n), i64(8)),
                {loop(Role::Block, t, i64(8),
                      {let(i, add(mul(v(b), i64(8)), v(t))),
                       when(less(v(i), v(n)), {let(x, at(in, {v(i)})), when(negative, {stmt(Fail{7, {v(i), value}})}),
                                               store(out, {v(i)}, call(prim::find_function("sqrt32"), {value}))})})})}};
}

}  // namespace heddle::nest::examples
