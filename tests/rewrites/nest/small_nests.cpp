#include "tests/rewrites/nest/small_nests.h"

#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "rewrites/nest/compare.h"
#include "rewrites/nest/distribute.h"
#include "rewrites/nest/parallelize.h"
#include "rewrites/nest/predicate.h"
#include "rewrites/nest/stripmine.h"

namespace heddle::nest::examples {

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

Kernel kernel_of(const std::string& text) {
  Result<Kernel> k = read_kernel(text);
  if (k) return *k;
  ADD_FAILURE() << k.error().message;
  return {};
}

Kernel vector_kernel(const std::string& body) {
  return kernel_of(R"(kernel small(
    T_3: constant,
    R_4: constant,
    n_1: i64,
    in_5: global f32[n_1],
    both_8: global f32[n_1 + 1],
    out_7: global f32[n_1]) {
)" + body + "}\n");
}

Kernel matrix_kernel(const std::string& body) {
  return kernel_of(R"(kernel small(
    T_3: constant,
    R_4: constant,
    n_1: i64,
    m_2: i64,
    in_5: global f32[n_1][m_2],
    both_8: global f32[n_1 + 1][m_2 + 1],
    out_7: global f32[n_1][m_2]) {
)" + body + "}\n");
}

Kernel filter_kernel() {
  return kernel_of(R"(kernel small(
    T_3: constant,
    R_4: constant,
    n_1: i64,
    m_2: i64,
    in_5: global f32[n_1 + m_2],
    weights_6: global f32[m_2],
    out_7: global f32[n_1]) {
  for i_10 in n_1 (serial) {
    alloc acc_14: register f32;
    acc_14[] := 0.0f32;
    for k_12 in m_2 (serial) {
      acc_14[] := acc_14[] + in_5[i_10 + k_12] * weights_6[k_12];
    }
    let sum_15: f32 = acc_14[];
    out_7[i_10] := sum_15;
  }
}
)");
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
