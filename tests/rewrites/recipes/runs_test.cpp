// Kernels for a processor, whose threads have runs of points, by the evaluator.
#include <gtest/gtest.h>

#include <limits>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "rewrites/plan/host_ops.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/planned.h"

namespace heddle::lower {
namespace {

const char* const kProgram = R"(types {}
entry("main", {xs: [][]i32}, {[][]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[n_1][m_2]i32} = {
  let {ys_4 : [n_1][m_2]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_5 < n_1, j_6 < m_2) (~t_7) : {i32} {
      let {x_8 : i32} = xs_3[i_5, j_6]
      let {y_9 : i32} = mul32(x_8, 3i32)
      return {returns y_9}
    }
  in {ys_4}
}
)";

// The same with a loop at each point.
const char* const kLoop = R"(types {}
entry("main", {xs: [][]i32}, {[][]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1][m_2]i32) : {[n_1][m_2]i32} = {
  let {ys_4 : [n_1][m_2]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_5 < n_1, j_6 < m_2) (~t_7) : {i32} {
      let {x_8 : i32} = xs_3[i_5, j_6]
      let {y_9 : i32} = loop {a_10 : i32} = {x_8} for k_11:i64 < j_6 do {
        let {b_12 : i32} = mul32(a_10, 3i32)
        in {b_12}
      }
      return {returns y_9}
    }
  in {ys_4}
}
)";

Launch launch(const char* program = kProgram) {
  KernelOptions options;
  options.verify = true;
  return host_ops(planned(program, options)).at(0).lowered->launches.at(0);
}

using Values = std::unordered_map<Name, prim::Value>;

// Of the kernel's scalars, of which those of the program have the names there.
Values values_of(const Launch& l, int64_t n, int64_t m) {
  const Values host = {{Name{"n", 1}, prim::Value::i64(n)}, {Name{"m", 2}, prim::Value::i64(m)}};
  Values values;
  for (size_t i = 0; i < l.scalar_args.size(); ++i)
    values.emplace(l.kernel.scalars[i].name, nest::evaluate(std::get<nest::Expr>(l.scalar_args[i]), host).value());
  return values;
}

int64_t blocks_of(const Launch& l, int64_t n, int64_t m) {
  return nest::evaluate(l.num_blocks, values_of(l, n, m)).value().i;
}

TEST(Runs, ArePartsOfRowsOrSeveral) { EXPECT_GOLDEN("rewrites/recipes/runs/map.nest", to_text(launch().kernel)); }

TEST(Runs, ComputeTheSameForAllSizes) {
  const Launch l = launch();
  for (auto [n, m] : {std::pair<int64_t, int64_t>{0, 3},
                      {3, 0},
                      {1, 1},
                      {7, 3},
                      {1000, 1},
                      {1, 1000},
                      {300, 5},
                      {2, 5003},
                      {261, 40}}) {
    const Values values = values_of(l, n, m);
    std::vector<prim::Value> scalars, xs;
    for (const nest::ScalarParam& p : l.kernel.scalars) scalars.push_back(values.at(p.name));
    for (int64_t i = 0; i < n * m; ++i) xs.push_back(prim::Value::i32(static_cast<int32_t>(i)));
    std::vector<nest::Memory> buffers = {nest::memory_of(std::move(xs)),
                                         nest::unwritten_memory(prim::Type::I32, n * m)};
    nest::Outcome outcome = nest::evaluate(l.kernel, scalars, buffers);
    ASSERT_FALSE(outcome.problem) << outcome.problem->text << ", " << n << " x " << m;
    for (int64_t i = 0; i < n * m; ++i)
      ASSERT_EQ(buffers[1].data[static_cast<size_t>(i)].i, 3 * i) << i << " of " << n << " x " << m;
  }
}

TEST(Runs, AreEnoughForAllCoresAndNeverTooMany) {
  const Launch l = launch(kLoop);
  EXPECT_EQ(blocks_of(l, 100, 2), 200);  // each point may be long
  for (auto [n, m] : {std::pair<int64_t, int64_t>{1000, 1}, {1, 1000}, {100, 10}, {100000, 3}, {10, 100000}})
    EXPECT_GE(blocks_of(l, n, m), 200) << n << " x " << m;
  for (auto [n, m] : {std::pair<int64_t, int64_t>{1000000, 1}, {1, 1000000}, {1000, 1000}})
    EXPECT_LE(blocks_of(l, n, m), 1100) << n << " x " << m;
  EXPECT_LE(blocks_of(l, 5000000000, 1), std::numeric_limits<int32_t>::max());
}

TEST(Runs, AreNotBegunForAFewShortPoints) {
  const Launch l = launch();
  for (auto [n, m] : {std::pair<int64_t, int64_t>{100, 2}, {4, 64}, {1, 256}, {16, 16}, {200, 1}})
    EXPECT_LE(blocks_of(l, n, m), 4) << n << " x " << m;
  EXPECT_GE(blocks_of(l, 1000, 20), 200);
}

}  // namespace
}  // namespace heddle::lower
