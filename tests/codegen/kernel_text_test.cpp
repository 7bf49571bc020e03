#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/kernel_traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "codegen/c_expr.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "tests/codegen/compiled_kernels.h"
#include "tests/golden/golden.h"
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
  EXPECT_GOLDEN("codegen/kernel_text/matmul.cu", kernel_text(matmul(), {.check_earlier_failure = true}));
}

TEST(KernelText, TiledMatmul) {
  EXPECT_GOLDEN("codegen/kernel_text/tiled_matmul.cu", kernel_text(tiled_matmul()));
  EXPECT_EQ(to_text(shared_bytes(tiled_matmul())), "128");
  EXPECT_TRUE(has_barriers(tiled_matmul()));
  EXPECT_FALSE(has_barriers(matmul()));
}

TEST(KernelText, AtomicUpdates) {
  EXPECT_GOLDEN("codegen/kernel_text/atomic_of_the_device.cu", kernel_text(histogram()));
  Result<Kernel> products = read_kernel(R"(kernel products(n_1: i64, in_2: global i32[n_1], out_3: global i32[n_1]) {
  for x_4 in n_1 (grid) {
    atomic out_3[x_4] as old_5 := old_5 *% in_2[x_4];
  }
}
)");
  ASSERT_TRUE(products) << products.error().message;
  EXPECT_GOLDEN("codegen/kernel_text/atomic_by_trying.cu", kernel_text(*products));
  EXPECT_TRUE(updates_some(histogram()));
  EXPECT_TRUE(updates_some(histogram(false)));
}

// Of whole words that all threads see; others are exchanged once it is seen that they change.
TEST(KernelText, ExtremaAreTheDevices) {
  Result<Kernel> bins =
      read_kernel(R"(kernel bins(n_1: i64, in_2: global i64[n_1], is_3: global i32[n_1], fs_4: global f32[n_1]) {
  for x_5 in n_1 (grid) {
    for t_6 in 32 (block) {
      alloc own_7: shared i32[8];
      atomic in_2[x_5] as old_8 := umin64(t_6, old_8);
      atomic is_3[x_5] as old_9 {
        let new_10: i32 = max(old_9, is_3[t_6]);
      } := new_10;
      atomic own_7[x_5] as old_11 := max(old_11, is_3[t_6]);
      atomic fs_4[x_5] as old_12 := fmax32(old_12, fs_4[t_6]);
    }
  }
}
)");
  ASSERT_TRUE(bins) << bins.error().message;
  const std::string text = kernel_text(*bins);
  EXPECT_THAT(text, HasSubstr("hd_atomic_umin_i64(&in_2[x_5], t_6);"));
  EXPECT_THAT(text, HasSubstr("hd_atomic_smax_i32(&is_3[x_5], is_3[t_6]);"));
  EXPECT_THAT(text, HasSubstr("old_11_at = (int32_t *)&own_7[x_5];"));
  EXPECT_THAT(text, HasSubstr("old_12_at = (int32_t *)&fs_4[x_5];"));
  EXPECT_THAT(text, Not(HasSubstr("old_8_at")));
  EXPECT_THAT(text, Not(HasSubstr("old_9_at")));
}

// All make the same of it, also where it does not depend on what was there.
TEST(KernelText, TruthValuesAreStored) {
  Result<Kernel> bins = read_kernel(R"(kernel bins(n_1: i64, in_2: global bool[n_1], out_3: global bool[n_1]) {
  for x_4 in n_1 (grid) {
    atomic out_3[x_4] as old_5 := old_5 || in_2[x_4];
    atomic out_3[x_4] as old_6 {
      let new_7: bool = in_2[x_4] && old_6;
    } := new_7;
    atomic out_3[x_4] as old_8 {
      let new_11: bool = true;
    } := true;
    atomic out_3[x_4] as old_9 := false;
    atomic out_3[x_4] as old_10 := in_2[x_4];
  }
}
)");
  ASSERT_TRUE(bins) << bins.error().message;
  const std::string text = kernel_text(*bins);
  EXPECT_THAT(text, HasSubstr("hd_atomic_or_bool(&out_3[x_4], in_2[x_4]);"));
  EXPECT_THAT(text, HasSubstr("hd_atomic_and_bool(&out_3[x_4], in_2[x_4]);"));
  EXPECT_THAT(text, HasSubstr("hd_atomic_or_bool(&out_3[x_4], true);"));
  EXPECT_THAT(text, HasSubstr("hd_atomic_and_bool(&out_3[x_4], false);"));
  EXPECT_THAT(text, HasSubstr("hd_atomic_cas_8("));
}

TEST(KernelText, Trampoline) { EXPECT_GOLDEN("codegen/kernel_text/trampoline.txt", cpu_trampoline(copy())); }

// Rows that a loop which is written out goes over are counted from where the thread's first row begins.
TEST(KernelText, RowsFollowEachOther) {
  Result<Kernel> rows =
      read_kernel(R"(kernel rows(n_1: i64, w_2: i64, in_3: global f32[n_1][w_2], out_4: global f32[n_1][w_2]) {
  for x_5 in w_2 (grid) {
    for row_6 in 3 (unrolled) {
      out_4[x_5 + (2 + row_6)][x_5] := in_3[x_5 + row_6][x_5 + 1];
    }
    out_4[x_5][0] := in_3[2][x_5];
  }
}
)");
  ASSERT_TRUE(rows) << rows.error().message;
  const std::string text = kernel_text(*rows);
  EXPECT_THAT(
      text,
      HasSubstr("(out_4 + (x_5 * w_2 + x_5))[(2 + row_6) * w_2] = (in_3 + (x_5 * w_2 + (x_5 + 1)))[row_6 * w_2];"));
  EXPECT_THAT(text, HasSubstr("out_4[x_5 * w_2] = in_3[2 * w_2 + x_5];"));
}

TEST(KernelText, NamesAreSafe) {
  auto c = [](const std::string& base) { return c_name(Name{base, 7}); };
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

// A window that runs backwards by a stride which the kernel is specialized for.
TEST(KernelText, NegatedConstantsKeepTheirSign) {
  Name s{"s", 1}, from{"from", 2}, out{"out", 3}, t{"t", 4}, k{"k", 5};
  Kernel kernel{"backwards",
                {{from, Type::I64}},
                {buffer(out, Type::I64, Space::Global, {i64(2), i64(4)})},
                {loop(Role::Block, t, i64(2),
                      {loop(Role::Unrolled, k, i64(4),
                            {store(out, {v(t), v(k)}, add(v(from), mul(sub(i64(0), v(s)), add(v(k), i64(1)))))})})},
                {s}};
  EXPECT_THAT(kernel_text(kernel), HasSubstr("from_2 + (0 - (int32_t)s_1) * (int32_t)(k_5 + 1)"));
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

// What a thread holds it need not look at one by one; what is in memory it need not read.
TEST(KernelText, TruthValuesThatAreHeldAreBits) {
  Result<Kernel> kernel = read_kernel(R"(kernel truths(n_1: i64, in_2: global bool[n_1], out_3: global bool[n_1]) {
  for x_4 in n_1 (grid) {
    alloc a_5: register bool[2];
    a_5[0] := in_2[x_4];
    a_5[1] := a_5[0] || (a_5[1] && a_5[0]);
    out_3[x_4] := a_5[1] && in_2[x_4];
  }
}
)");
  ASSERT_TRUE(kernel) << kernel.error().message;
  const std::string text = kernel_text(*kernel);
  EXPECT_THAT(text, HasSubstr("a_5[1] = a_5[0] | (a_5[1] & a_5[0]);"));
  EXPECT_THAT(text, HasSubstr("out_3[x_4] = a_5[1] && in_2[x_4];"));
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

// Steps whose threads wait for each other are taken in one turn where there are as many threads as points.
TEST(KernelText, TurnsInSteps) {
  Name n{"n", 1}, threads{"threads", 2}, t{"t", 3}, round{"round", 4}, i{"i", 5}, out{"out", 6}, step{"step", 7};
  nest::Block turns = {loop(
      Role::Serial, round, nest::ceil_div(v(n), v(threads)),
      {let(i, add(mul(v(round), v(threads)), v(t))),
       stmt(If{
           nest::less(v(i), v(n)), {store(out, {v(i)}, add(load(out, Type::I64, {v(i)}), mul(v(step), v(i))))}, {}})})};
  nest::Block steps = turns;
  steps.push_back(stmt(nest::Barrier{nest::Scope::Block}));
  auto kernel = [&](const std::string& name, nest::Block body) {
    return Kernel{name,
                  {{n, Type::I64}, {threads, Type::I64}},
                  {buffer(out, Type::I64, Space::Global, {v(n)})},
                  {loop(Role::Block, t, v(threads), {loop(Role::Serial, step, i64(3), std::move(body))})}};
  };
  std::vector<Kernel> kernels = {kernel("alone", turns), kernel("steps", steps)};
  const std::string is_one = "if (n_1 <= threads_2) {";
  EXPECT_THAT(kernel_text(kernels[0]), Not(HasSubstr(is_one)));
  EXPECT_THAT(kernel_text(kernels[1]),
              testing::AllOf(HasSubstr(is_one), HasSubstr("for (int64_t i_5 = t_3; i_5 < n_1; i_5 += threads_2) {")));
  CompiledKernels compiled(kernels);
  for (size_t k = 0; k < kernels.size(); ++k) {
    for (auto [size, members] : {std::pair<int64_t, int64_t>{10, 4}, {3, 4}, {4, 4}, {5, 4}, {1, 1}, {0, 2}}) {
      expect_agreement(compiled, k, kernels[k], i64s({size, members}),
                       {memory_of(i64s(std::vector<int64_t>(static_cast<size_t>(size), 100)))});
    }
  }
}

// Threads that take turns need neither a division for how often nor a multiplication for whose turn it is.
TEST(KernelText, TurnsOfThreads) {
  Name n{"n", 1}, threads{"threads", 2}, t{"t", 3}, round{"round", 4}, i{"i", 5}, in{"in", 6}, out{"out", 7};
  auto turns = [&](const std::string& name, const Expr& member, const Expr& value) {
    return Kernel{name,
                  {{n, Type::I64}, {threads, Type::I64}},
                  {buffer(in, Type::I64, Space::Global, {v(n)}), buffer(out, Type::I64, Space::Global, {v(n)})},
                  {loop(Role::Block, t, v(threads),
                        {loop(Role::Serial, round, nest::ceil_div(v(n), v(threads)),
                              {let(i, add(mul(v(round), v(threads)), member)),
                               stmt(If{nest::less(v(i), v(n)), {store(out, {v(i)}, value)}, {}})})})}};
  };
  Expr element = load(in, Type::I64, {v(i)});
  std::vector<Kernel> kernels = {turns("moves", v(t), add(element, nest::div(v(i), i64(3)))),
                                 turns("works", v(t), nest::div(element, v(n))),
                                 turns("counts_rounds", v(t), add(element, v(round))),
                                 turns("may_begin_before", nest::min(v(t), load(in, Type::I64, {i64(0)})), element),
                                 turns("begins_later", add(mul(v(t), v(threads)), v(t)), element)};
  const std::string in_turns = "for (int64_t i_5 = t_3; i_5 < n_1; i_5 += threads_2) {";
  EXPECT_THAT(kernel_text(kernels[0]),
              testing::AllOf(HasSubstr(in_turns), Not(HasSubstr("hd_sdiv_up64")), Not(HasSubstr("HD_NO_UNROLL"))));
  EXPECT_THAT(kernel_text(kernels[1]), testing::AllOf(HasSubstr("HD_NO_UNROLL"), HasSubstr(in_turns)));
  for (size_t k : {2, 3}) EXPECT_THAT(kernel_text(kernels[k]), HasSubstr("hd_sdiv_up64"));
  // Whoever is there knows that there are threads.
  EXPECT_THAT(kernel_text(kernels[4]), HasSubstr("for (int64_t i_5 = t_3 * threads_2 + t_3; i_5 < n_1;"));
  CompiledKernels compiled(kernels);
  for (size_t k = 0; k < kernels.size(); ++k) {
    for (auto [size, members] : {std::pair<int64_t, int64_t>{10, 4}, {3, 4}, {8, 4}, {1, 1}}) {
      expect_agreement(
          compiled, k, kernels[k], i64s({size, members}),
          {memory_of(i64s(std::vector<int64_t>(static_cast<size_t>(size), 100))), unwritten_memory(Type::I64, size)});
    }
  }
}

// By what the host knows; of the length of an array it is said that it is not negative.
TEST(KernelText, DivisionsByWhatTheHostKnows) {
  Name n{"n", 1}, by{"by", 2}, t{"t", 3}, in{"in", 4}, quotients{"quotients", 5}, rests{"rests", 6};
  Expr element = load(in, Type::I64, {v(t)});
  Kernel k{
      "divides",
      {{n, Type::I64}, {by, Type::I64}},
      {buffer(in, Type::I64, Space::Global, {v(n)}), buffer(quotients, Type::I64, Space::Global, {v(n)}),
       buffer(rests, Type::I64, Space::Global, {v(n)})},
      {loop(Role::Block, t, v(n),
            {store(quotients, {v(t)}, nest::div(element, v(by))), store(rests, {v(t)}, nest::mod(element, v(by)))})}};
  EXPECT_THAT(kernel_text(k), testing::AllOf(HasSubstr("hd_sdiv64_by(in_4[t_3], by_2, long_divisor_0)"),
                                             HasSubstr("hd_smod64_by(in_4[t_3], by_2, long_divisor_0)")));
  CompiledKernels compiled({k});
  const int64_t power = int64_t{1} << 62;
  for (int64_t d : {int64_t{1}, int64_t{2}, int64_t{3}, int64_t{7}, int64_t{641}, int64_t{INT32_MAX}, int64_t{1} << 31,
                    power, power + 1, INT64_MAX - 1, INT64_MAX}) {
    std::vector<int64_t> numbers = {0, 1, 2, INT32_MAX, int64_t{1} << 32, INT64_MAX / 3, INT64_MAX - 1, INT64_MAX};
    for (int64_t m : {int64_t{1}, INT64_MAX / d / 2, INT64_MAX / d}) {
      for (int64_t near : {m * d - 1, m * d, m * d == INT64_MAX ? m : m * d + 1}) numbers.push_back(near);
    }
    for (size_t i = numbers.size(); i-- > 0;) numbers.push_back(~numbers[i]);
    auto size = static_cast<int64_t>(numbers.size());
    for (int64_t divisor : {d, -d, -d - 1}) {
      expect_agreement(
          compiled, 0, k, i64s({size, divisor}),
          {memory_of(i64s(numbers)), unwritten_memory(Type::I64, size), unwritten_memory(Type::I64, size)});
    }
  }
}

TEST(KernelText, LengthsAreNotNegative) {
  Name n{"n", 1}, by{"by", 2}, t{"t", 3}, out{"out", 4};
  Kernel k{
      "divides",
      {{n, Type::I64}, {by, Type::I64}},
      {buffer(out, Type::I64, Space::Global, {v(n)})},
      {loop(Role::Block, t, v(n), {store(out, {v(t)}, nest::add(nest::div(v(t), v(by)), nest::mod(v(t), v(n))))})}};
  EXPECT_THAT(kernel_text(k),
              testing::AllOf(HasSubstr("HD_ASSUME(0 <= n_1);"), Not(HasSubstr("HD_ASSUME(0 <= by_2);"))));
}

// By literals, and by what only the device knows; out of range, too.
TEST(KernelText, Shifts) {
  Name n{"n", 1}, t{"t", 2}, by{"by", 3}, out{"out", 4};
  Expr any = load(by, Type::I32, {v(t)}), eight = nest::constant(Value::i32(8));
  auto shift = [&](Family f, const Expr& y) { return nest::operation(Op(f, Type::I32), {any, y}); };
  std::vector<Stmt> stores;
  for (Family f : {Family::Shl, Family::LShr, Family::AShr}) {
    auto at = static_cast<int64_t>(stores.size());
    stores.push_back(store(out, {v(t), nest::constant(at)}, shift(f, any)));
    stores.push_back(store(out, {v(t), nest::constant(at + 1)}, shift(f, eight)));
  }
  Kernel k{"shifts",
           {{n, Type::I64}},
           {buffer(by, Type::I32, Space::Global, {v(n)}),
            buffer(out, Type::I32, Space::Global, {v(n), nest::constant(int64_t{6})})},
           {loop(Role::Block, t, v(n), stores)}};
  EXPECT_THAT(kernel_text(k),
              testing::AllOf(HasSubstr("hd_shl32_by_any(by_3[t_2], by_3[t_2])"),
                             HasSubstr("hd_lshr32_by_any(by_3[t_2], by_3[t_2])"), HasSubstr("hd_shl32(by_3[t_2], 8)"),
                             HasSubstr("hd_lshr32(by_3[t_2], 8)")));
  std::vector<Value> amounts;
  for (int64_t x : {0, 1, 31, 32, 33, 64, -1, -32, INT32_MIN}) amounts.push_back(Value::of_int(Type::I32, x));
  auto size = static_cast<int64_t>(amounts.size());
  expect_agreement(CompiledKernels({k}), 0, k, i64s({size}),
                   {memory_of(amounts), unwritten_memory(Type::I32, size * 6)});
}

// Of each type, and as wide as it is.
TEST(KernelText, Shuffles) {
  EXPECT_THAT(kernel_text(rotated()), HasSubstr("HD_SHUFFLE(other_7, "));
  EXPECT_TRUE(has_barriers(rotated()));
  std::vector<Kernel> kernels;
  for (Type type : {Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::F32, Type::F64, Type::Bool})
    kernels.push_back(rotated(type));
  const CompiledKernels compiled(kernels);
  for (size_t k = 0; k < kernels.size(); ++k) {
    const Type type = kernels[k].buffers[0].elem;
    std::vector<Value> values;
    for (int64_t i = 0; i < 64; ++i)
      values.push_back(type == Type::Bool     ? Value::of_bool(i % 3 == 0)
                       : prim::is_float(type) ? Value::of_float(type, static_cast<double>(i))
                                              : Value::of_int(type, i));
    expect_agreement(compiled, k, kernels[k], i64s({2}), {memory_of(values), unwritten_memory(type, 64)});
  }
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

TEST(KernelText, Locks) {
  Name out{"out", 1}, b{"b", 2}, t{"t", 3}, locks{"locks", 4};
  auto times = [](Expr x, Expr y) { return operation(Op(Family::Mul, Type::I64), {std::move(x), std::move(y)}); };
  auto was = [&](int64_t k) { return load(out, Type::I64, {i64(k)}); };
  // The product of two complex numbers, which takes both parts of the old one.
  Name re{"re", 5}, im{"im", 6};
  Block product = {let(re, sub(times(was(0), v(t)), was(1))), let(im, add(was(0), times(was(1), v(t)))),
                   store(out, {i64(0)}, v(re)), store(out, {i64(1)}, v(im))};
  Kernel kernel{
      "products",
      {},
      {buffer(out, Type::I64, Space::Global, {i64(2)}), buffer(locks, Type::I64, Space::Global, {i64(3)})},
      {loop(Role::Grid, b, i64(2), {loop(Role::Block, t, i64(10), {stmt(Locked{locks, {i64(2)}, product})})})}};
  EXPECT_GOLDEN("codegen/kernel_text/locked.cu", kernel_text(kernel));
  CompiledKernels compiled({kernel});
  expect_agreement(
      compiled, 0, kernel, {},
      {memory_of(std::vector<Value>{Value::i64(1), Value::i64(0)}), memory_of(std::vector<Value>(3, Value::i64(0)))});
}

}  // namespace
}  // namespace heddle::codegen
