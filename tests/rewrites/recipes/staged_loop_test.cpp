// Kernels whose blocks stage what the loops of all points read, by the evaluator that finds races and threads that miss a barrier.
#include "rewrites/recipes/staged_loop.h"

#include <gtest/gtest.h>

#include "ir/nest/eval.h"
#include "ir/nest/printer.h"
#include "rewrites/plan/host_ops.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/planned.h"

namespace heddle::lower {
namespace {

const char* const kProgram = R"(types {}
entry("main", {xs: []i32, ys: []i32}, {[]i32})
  entry_main (n_1 : i64, m_2 : i64, xs_3 : [n_1]i32, ys_4 : [m_2]i32) : {[n_1]i32} = {
  let {sums_5 : [n_1]i32} =
    segmap(thread; ; grid=1i64; blocksize=256i64)
    (i_6 < n_1) (~t_7) : {i32} {
      let {x_8 : i32} = xs_3[i_6]
      let {sum_9 : i32} =
        loop {acc_10 : i32} = {0i32}
        for j_11:i64 < m_2 do {
          let {y_12 : i32} = ys_4[j_11]
          let {term_13 : i32} = mul32(x_8, y_12)
          let {thrice_14 : i32} = mul32(acc_10, 3i32)
          let {next_15 : i32} = add32(thrice_14, term_13)
          in {next_15}
        }
      return {returns sum_9}
    }
  in {sums_5}
}
)";

nest::Kernel kernel() {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  return host_ops(planned(kProgram, options)).at(0).lowered->launches.at(0).kernel;
}

int32_t x_at(int64_t i) { return static_cast<int32_t>(i % 7 - 3); }
int32_t y_at(int64_t j) { return static_cast<int32_t>(j % 11 - 4); }

nest::Memory numbers(int64_t count, int32_t (*at)(int64_t)) {
  std::vector<prim::Value> data;
  for (int64_t i = 0; i < count; ++i) data.push_back(prim::Value::i32(at(i)));
  return nest::memory_of(std::move(data));
}

uint32_t expected(int64_t i, int64_t m) {
  uint32_t acc = 0;
  for (int64_t j = 0; j < m; ++j) acc = acc * 3 + static_cast<uint32_t>(x_at(i) * y_at(j));
  return acc;
}

TEST(StagedLoop, IsAKernelOfBlocksThatMeet) {
  EXPECT_GOLDEN("rewrites/recipes/staged_loop/sum.nest", to_text(kernel()));
}

TEST(StagedLoop, ComputesTheSameForAllSizes) {
  nest::Kernel k = kernel();
  for (int64_t n : {0, 1, 255, 257}) {
    for (int64_t m : {0, 1, 255, 256, 515}) {
      std::vector<prim::Value> scalars;
      for (const nest::ScalarParam& p : k.scalars) scalars.push_back(prim::Value::i64(p.name.base == "n" ? n : m));
      std::vector<nest::Memory> buffers;
      for (const nest::Buffer& b : k.buffers) {
        buffers.push_back(b.name.base == "xs"   ? numbers(n, x_at)
                          : b.name.base == "ys" ? numbers(m, y_at)
                                                : nest::unwritten_memory(prim::Type::I32, n));
      }
      nest::Outcome outcome = nest::evaluate(k, scalars, buffers);
      ASSERT_FALSE(outcome.problem) << outcome.problem->text << ", " << n << " points, " << m << " steps";
      for (int64_t i = 0; i < n; ++i) {
        EXPECT_EQ(static_cast<uint32_t>(buffers.back().data[static_cast<size_t>(i)].i), expected(i, m))
            << i << " of " << n << ", " << m << " steps";
      }
    }
  }
}

}  // namespace
}  // namespace heddle::lower
