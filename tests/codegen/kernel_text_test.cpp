#include "codegen/cuda/kernel_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "codegen/c_expr.h"
#include "ir/nest/printer.h"
#include "tests/codegen/compiled_kernels.h"
#include "tests/ir/nest_examples.h"

namespace heddle::codegen {
namespace {

using namespace nest;
using namespace nest::examples;
using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;
using testing::HasSubstr;
using testing::Not;

std::vector<Value> i64s(const std::vector<int64_t>& xs) {
  std::vector<Value> values;
  for (int64_t x : xs) values.push_back(Value::i64(x));
  return values;
}

Memory counting(int64_t n) {
  std::vector<Value> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(Value::f32(static_cast<float>(i % 7)));
  return memory_of(std::move(values));
}

TEST(KernelText, Matmul) {
  EXPECT_EQ(
      kernel_text(matmul(), {.check_earlier_failure = true}),
      R"(HD_KERNEL(matmul, struct hd_failure_record *failure, const int64_t n_1, const int64_t m_2, const int64_t k_3, const float *HD_RESTRICT a_4, const float *HD_RESTRICT b_5, float *c_6, const struct hd_divisor divisor_0) {
  if (HD_ALREADY_FAILED(failure)) return;
  const uint32_t by_7_digit = hd_quotient((uint32_t)HD_BLOCK_ID, divisor_0), by_7_rest = (uint32_t)HD_BLOCK_ID - by_7_digit * divisor_0.divisor;
  const int64_t by_7 = by_7_digit;
  const int64_t bx_8 = by_7_rest;
  const uint32_t ty_9_digit = (uint32_t)HD_THREAD_ID / 8u, ty_9_rest = (uint32_t)HD_THREAD_ID - ty_9_digit * 8u;
  const int64_t ty_9 = ty_9_digit;
  const int64_t tx_10 = ty_9_rest;
  const int64_t i_11 = by_7 * 4 + ty_9;
  const int64_t j_12 = bx_8 * 8 + tx_10;
  if (i_11 < n_1 && j_12 < k_3) {
    float acc_14;
    acc_14 = 0.0f;
    for (int64_t r_13 = 0; r_13 < m_2; r_13++) {
      acc_14 = acc_14 + a_4[i_11 * m_2 + r_13] * b_5[r_13 * k_3 + j_12];
    }
    c_6[i_11 * k_3 + j_12] = acc_14;
  }
}
)");
}

TEST(KernelText, TiledMatmul) {
  EXPECT_EQ(
      kernel_text(tiled_matmul()),
      R"(HD_KERNEL(tiled_matmul, struct hd_failure_record *failure, const int64_t n_1, const int64_t m_2, const int64_t k_3, const float *HD_RESTRICT a_4, const float *HD_RESTRICT b_5, float *c_6, const struct hd_divisor divisor_0) {
  const uint32_t by_7_digit = hd_quotient((uint32_t)HD_BLOCK_ID, divisor_0), by_7_rest = (uint32_t)HD_BLOCK_ID - by_7_digit * divisor_0.divisor;
  const int64_t by_7 = by_7_digit;
  const int64_t bx_8 = by_7_rest;
  float *const ta_15 = (float *)HD_SHARED;
  float *const tb_16 = (float *)(HD_SHARED + 64LL);
  const uint32_t ty_9_digit = (uint32_t)HD_THREAD_ID / 4u, ty_9_rest = (uint32_t)HD_THREAD_ID - ty_9_digit * 4u;
  const int64_t ty_9 = ty_9_digit;
  const int64_t tx_10 = ty_9_rest;
  const int64_t i_11 = by_7 * 4 + ty_9;
  const int64_t j_12 = bx_8 * 4 + tx_10;
  float acc_14;
  acc_14 = 0.0f;
  const int64_t r_13_end = hd_sdiv64(m_2, 4LL);
  for (int64_t r_13 = 0; r_13 < r_13_end; r_13++) {
    ta_15[ty_9 * 4 + tx_10] = a_4[i_11 * m_2 + (r_13 * 4 + tx_10)];
    tb_16[ty_9 * 4 + tx_10] = b_5[(r_13 * 4 + ty_9) * k_3 + j_12];
    HD_BARRIER();
    HD_UNROLL
    for (int64_t s_17 = 0; s_17 < 4; s_17++) {
      acc_14 = acc_14 + ta_15[ty_9 * 4 + s_17] * tb_16[s_17 * 4 + tx_10];
    }
    HD_BARRIER();
  }
  c_6[i_11 * k_3 + j_12] = acc_14;
}
)");
  EXPECT_EQ(to_text(shared_bytes(tiled_matmul())), "128");
  EXPECT_TRUE(has_barriers(tiled_matmul()));
  EXPECT_FALSE(has_barriers(matmul()));
}

TEST(KernelText, AtomicUpdates) {
  EXPECT_THAT(kernel_text(histogram()), HasSubstr("hd_atomic_add_i32(&hist_4[hd_sext_i32_i64(in_3[i_7])], 1);\n"));
  EXPECT_THAT(kernel_text(histogram(false)), HasSubstr(R"(
    int32_t *const old_8_at = (int32_t *)&hist_4[hd_sext_i32_i64(in_3[i_7])];
    int32_t old_8_seen = *(volatile int32_t *)old_8_at, old_8_bits;
    do {
      old_8_bits = old_8_seen;
      const int32_t old_8 = old_8_bits;
      old_8_seen = hd_atomic_cas_32(old_8_at, old_8_bits, hd_smax32(old_8, hd_sext_i64_i32(i_7)));
    } while (old_8_seen != old_8_bits);
)"));
}

TEST(KernelText, Trampoline) {
  EXPECT_EQ(cpu_trampoline(copy()), R"(static void copy_cpu(const struct hd_cpu_launch *launch, void **args) {
  struct hd_failure_record *failure = *(struct hd_failure_record **)args[0];
  const int64_t n_1 = *(const int64_t *)args[1];
  const float *HD_RESTRICT in_2 = *(const float *HD_RESTRICT *)args[2];
  float *out_3 = *(float **)args[3];
  HD_CPU_FOR_EACH_THREAD(launch, self) copy(self, failure, n_1, in_2, out_3);
}
)");
}

TEST(KernelText, NamesAreSafe) {
  auto c = [](const std::string& base) { return c_name(seg::Name{base, 7}); };
  EXPECT_EQ(c("x"), "x_7");
  EXPECT_EQ(c("x'"), "x_7");
  EXPECT_EQ(c("M_PI"), "m_pi_7");
  EXPECT_EQ(c("hd_log10"), "log10_7");
  EXPECT_EQ(c("hd_hd_hd_"), "hd_7");
  EXPECT_EQ(c("__reserved"), "reserved_7");
  EXPECT_EQ(c("9lives"), "n9lives_7");
  EXPECT_EQ(c("hd_9"), "n9_7");
  EXPECT_EQ(c(""), "n_7");
  EXPECT_EQ(c("\"); system(\""), "system_7");
  EXPECT_EQ(c("\xc3\xa6 */"), "n_7");
  EXPECT_EQ(c(std::string(100, 'a')), std::string(40, 'a') + "_7");
}

TEST(KernelText, LiteralsStayWide) {
  Name x{"x", 1};
  Expr big = i64(100000);
  EXPECT_EQ(c_expr(mul(v(x), big)), "x_1 * 100000");
  Expr either = select(less(v(x), big), big, i64(3));
  EXPECT_EQ(c_expr(mul(either, big)), "(x_1 < 100000 ? 100000LL : 3LL) * 100000LL");
}

TEST(KernelText, NarrowResultsAreCutOff) {
  Name x{"x", 1};
  Expr e = var(x, Type::I8);
  Expr sum = operation(Op(Family::AddNw, Type::I8), {e, e});
  EXPECT_EQ(c_expr(operation(Op(Family::Slt, Type::I8), {sum, e})), "(int8_t)(x_1 + x_1) < x_1");
}

// In kernels with constants most numbers are small, and are computed with C's operators.
TEST(KernelText, LoopsToASmallNumberThatIsAChoice) {
  Name c{"C", 1}, i{"i", 2}, out{"out", 3}, t{"t", 4};
  Kernel k{
      "choice",
      {},
      {buffer(out, Type::I64, Space::Global, {v(c)})},
      {loop(Role::Block, t, i64(1), {loop(Role::Unrolled, i, nest::min(v(c), i64(1)), {store(out, {v(t)}, v(i))})})},
      {c}};
  EXPECT_THAT(kernel_text(k), HasSubstr("i_2 < (c_1 < 1 ? c_1 : 1)"));
}

TEST(KernelText, PlacesInRegistersAreNarrow) {
  Name c{"C", 1}, at{"at", 2}, out{"out", 3}, t{"t", 4}, value{"value", 5};
  Kernel k{"places",
           {},
           {buffer(out, Type::I64, Space::Global, {v(c)})},
           {loop(Role::Block, t, i64(1),
                 {stmt(Alloc{buffer(at, Type::I64, Space::Register, {})}),
                  stmt(Alloc{buffer(value, Type::I64, Space::Register, {})}), store(at, {}, i64(0)),
                  store(value, {}, i64(0)), store(at, {}, add(load(at, Type::I64, {}), v(c))),
                  store(out, {load(at, Type::I64, {})}, load(value, Type::I64, {}))})},
           {c},
           {at}};
  EXPECT_THAT(kernel_text(k), testing::AllOf(HasSubstr("int32_t at_2;"), HasSubstr("int64_t value_5;"),
                                             HasSubstr("at_2 = at_2 + (int32_t)c_1;")));
}

TEST(KernelText, StridesOfBuffersWithLongNamesHaveNamesOfTheirOwn) {
  Name n{"n", 1}, t{"t", 2}, out{"out", 3}, in{"what_was_copied_transformed_transformed_and_relaid_anew", 4};
  Kernel k{
      "strides",
      {{n, Type::I64}},
      {buffer(in, Type::I64, Space::Global, {v(n), v(n), v(n), v(n)}), buffer(out, Type::I64, Space::Global, {v(n)})},
      {loop(Role::Block, t, v(n), {store(out, {v(t)}, load(in, Type::I64, {v(t), v(t), v(t), v(t)}))})},
      {},
      {n}};
  std::string text = kernel_text(k);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("const int32_t stride_0_what"), HasSubstr("const int32_t stride_1_what")));
  CompiledKernels compiled({k});
}

TEST(KernelText, UnitTakesNoSpace) {
  Name n{"n", 1}, u{"u", 2}, nothing{"nothing", 3}, t{"t", 4}, out{"out", 5}, x{"x", 6};
  Kernel k{"units",
           {{u, Type::Unit}, {n, Type::I64}},
           {buffer(nothing, Type::Unit, Space::Global, {v(n)}), buffer(out, Type::I64, Space::Global, {v(n)})},
           {loop(Role::Block, t, v(n),
                 {let(x, var(u, Type::Unit)), store(nothing, {v(t)}, var(x, Type::Unit)), store(out, {v(t)}, v(t))})}};
  EXPECT_THAT(kernel_text(k) + cpu_trampoline(k),
              Not(testing::AnyOf(HasSubstr("nothing"), HasSubstr("u_2"), HasSubstr("x_6"))));
  CompiledKernels compiled({k});
  expect_agreement(compiled, 0, k, {Value::unit(), Value::i64(3)},
                   {unwritten_memory(Type::Unit, 3), unwritten_memory(Type::I64, 3)});
}

class RunningKernels : public testing::Test {
 protected:
  static const CompiledKernels& compiled() {
    static const CompiledKernels kernels(examples());
    return kernels;
  }
  static std::vector<Kernel> examples() {
    return {copy(),      matmul(),    tiled_matmul(),   block_sums(),
            warp_sums(), histogram(), histogram(false), checked_roots()};
  }
  static void agree(size_t number, const std::vector<int64_t>& scalars, const std::vector<Memory>& buffers) {
    expect_agreement(compiled(), number, examples()[number], i64s(scalars), buffers);
  }
};

TEST_F(RunningKernels, Copy) {
  for (int64_t n : {0, 1, 31, 32, 33, 100}) agree(0, {n}, {counting(n), unwritten_memory(Type::F32, n)});
}

TEST_F(RunningKernels, Matmul) {
  auto multiply = [](size_t number, int64_t n, int64_t m, int64_t k) {
    agree(number, {n, m, k}, {counting(n * m), counting(m * k), unwritten_memory(Type::F32, n * k)});
  };
  multiply(1, 5, 3, 9);
  multiply(1, 4, 0, 8);
  multiply(1, 0, 3, 8);
  multiply(2, 8, 12, 4);
}

TEST_F(RunningKernels, Reductions) {
  agree(3, {2}, {counting(128), unwritten_memory(Type::F32, 2)});
  agree(4, {4}, {counting(128), unwritten_memory(Type::F32, 4)});
}

TEST_F(RunningKernels, Histograms) {
  std::vector<Value> bins, zeros(3, Value::i32(0));
  for (int i = 0; i < 100; ++i) bins.push_back(Value::i32(i % 5 == 0 ? 2 : i % 2));
  for (size_t number : {5, 6}) agree(number, {100, 3}, {memory_of(bins), memory_of(zeros)});
}

TEST_F(RunningKernels, Failures) {
  std::vector<Value> data(20, Value::f32(4));
  agree(7, {20}, {memory_of(data), unwritten_memory(Type::F32, 20)});
  data[13] = Value::f32(-2);
  agree(7, {20}, {memory_of(data), unwritten_memory(Type::F32, 20)});
  std::vector<Memory> buffers = {memory_of(data), unwritten_memory(Type::F32, 20)};
  RunResult result = compiled().run(7, i64s({20}), buffers);
  EXPECT_EQ(result.failure, 7);
  EXPECT_EQ(result.failure_args[0], 13);
  double argument = 0;
  std::memcpy(&argument, &result.failure_args[1], sizeof argument);
  EXPECT_EQ(argument, -2);
}

// With and without statements of their own.
TEST(KernelText, AtomicUpdatesOfEveryType) {
  std::vector<Kernel> kernels;
  std::vector<Type> types = {Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::F32, Type::F64, Type::Bool};
  for (Type type : types) {
    Name out{"out", 1}, b{"b", 2}, t{"t", 3}, old{"old", 4}, x{"x", 5}, old2{"old", 6};
    auto combine = [&](Expr before, Expr with) {
      if (type == Type::Bool) return operation(Op(Family::LogOr, type), {before, with});
      if (prim::is_float(type)) return operation(Op(Family::FMax, type), {before, with});
      return operation(Op(Family::Add, type), {before, with});
    };
    Expr mine = type == Type::Bool     ? less(i64(5), v(t))
                : prim::is_float(type) ? operation(Op(Family::SIToFP, Type::I64, type), {v(t)})
                                       : operation(Op(Family::SExt, Type::I64, type), {v(t)});
    // On the CPU, blocks without barriers run one after the other, so only what the text computes is tested here.
    Block thread = {
        stmt(AtomicUpdate{out, {mod(v(t), i64(2))}, old, {let(x, mine)}, combine(var(old, type), var(x, type))}),
        stmt(AtomicUpdate{out, {i64(2)}, old2, {}, combine(mine, var(old2, type))})};
    kernels.push_back({"update_" + std::string(prim::name(type)),
                       {},
                       {buffer(out, type, Space::Global, {i64(3)})},
                       {loop(Role::Grid, b, i64(2), {loop(Role::Block, t, i64(10), thread)})}});
  }
  CompiledKernels compiled(kernels);
  for (size_t i = 0; i < types.size(); ++i) {
    std::vector<Value> zeros(3, prim::zero(types[i]));
    expect_agreement(compiled, i, kernels[i], {}, {memory_of(zeros)});
  }
}

}  // namespace
}  // namespace heddle::codegen
