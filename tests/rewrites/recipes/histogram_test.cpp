// Histograms whose bins exceed the cache, by the evaluator that finds races; of a cache that is made small here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "frontend_bridge/pipeline.h"
#include "ir/host/eval.h"
#include "ir/host/printer.h"
#include "ir/host/reader.h"
#include "ir/nest/printer.h"
#include "rewrites/host/build.h"
#include "rewrites/host/passes.h"
#include "rewrites/plan/host_ops.h"
#include "tests/rewrites/planned.h"

namespace heddle::lower {
namespace {

const char* const kProgram = R"(types {}
entry("main", {k: i64, is: []i64, xs: []i32}, {[]i32})
  entry_main (n_1 : i64, k_2 : i64, is_3 : [n_1]i64, xs_4 : [n_1]i32) : {*[k_2]i32} = {
  let {bins_5 : [k_2]i32} = replicate([k_2], 3i32)
  let {sums_6 : [k_2]i32} = seghist(thread; ; grid=1i64; blocksize=256i64) (i_7 < n_1) (~t_8)
    ([k_2], 1i64, {bins_5}, {0i32}, , \ {a_9 : i32, b_10 : i32} : {i32} ->
      let {c_11 : i32} = add32(a_9, b_10)
      in {c_11}) : {i64, i32} {
    let {bin_12 : i64} = is_3[i_7]
    let {x_13 : i32} = xs_4[i_7]
    return {returns bin_12, returns x_13}
  }
  in {sums_6}
}
)";

// With other numbers in the place of some that the program's text has.
host::Program compiled(const seg::Program& program, const std::map<std::string, std::string>& numbers) {
  KernelOptions compile;
  compile.verify = true;
  compile.for_blocks();
  Result<PlannedProgram> planned = compile_kernels(program, compile);
  if (!planned) throw std::runtime_error(planned.error().message);
  Result<host::Program> built = host::build(*planned, {true});
  if (!built) throw std::runtime_error(built.error().message);
  Result<host::Program> final = host::run_passes(*built, {true});
  if (!final) throw std::runtime_error(final.error().message);
  std::string text = host::to_text(*final);
  for (const auto& [number, other] : numbers) {
    EXPECT_NE(text.find(number), std::string::npos) << number;
    for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + other.size()))
      text.replace(at, number.size(), other);
  }
  Result<host::Program> smaller = host::read(text);
  if (!smaller) throw std::runtime_error(smaller.error().message);
  return std::move(*smaller);
}

struct Shape {
  int64_t bins, elements;
};

void expect_same(const seg::Program& program, const host::Program& final, const Shape& s,
                 prim::Type elem = prim::Type::I32) {
  auto cells = [&](int64_t factor, int64_t modulus, int64_t less, auto value) {
    auto all = std::make_shared<std::vector<int64_t>>();
    for (int64_t i = 0; i < s.elements; ++i) all->push_back(seg::to_cell(value(i * factor % modulus - less)));
    return all;
  };
  auto bins = cells(7919, s.bins + 9, 4, [](int64_t x) { return prim::Value::i64(x); });
  auto values = cells(11, 17, 7, [&](int64_t x) { return prim::Value::of_int(elem, x); });
  std::vector<seg::TypedValue> inputs = {seg::TypedValue{prim::Value::i64(s.bins)},
                                         {seg::Array{prim::Type::I64, {s.elements}, bins}},
                                         {seg::Array{elem, {s.elements}, values}}};
  seg::EvalOptions options;
  options.max_steps = 100'000'000;
  seg::EvalResult expected = seg::evaluate(program, "main", inputs, options);
  seg::EvalResult actual = host::evaluate(final, "main", inputs, options);
  ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
  ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << actual.message;
  EXPECT_EQ(seg::to_text(actual.values[0].value), seg::to_text(expected.values[0].value))
      << s.elements << " into " << s.bins;
}

// With bins that the passes share evenly or not, fewer elements than bins, which make one pass, and bins that are none.
TEST(Histogram, GoesOverTheElementsForAsManyBinsAsTheCacheHolds) {
  Result<seg::Program> program = read_program(kProgram, "test.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  for (const std::string room : {"10000", "20482"}) {
    const host::Program final = compiled(*program, {{"20971520", room}});
    for (const Shape s : {Shape{10241, 10241}, {10250, 10251}, {10241, 12345}, {10241, 1}, {10241, 0}, {7, 100}})
      expect_same(*program, final, s);
  }
}

// Of many bins a block has as many in shared memory as that holds, of 48 KiB here, where each has elements enough; 264 blocks are enough elsewhere.
TEST(Histogram, HasBlocksKeepMostOfTheirMemoryForBins) {
  Result<seg::Program> program = read_program(kProgram, "test.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  const host::Program final = compiled(*program, {{"263 <", "3 <"}, {"< 40960", "< 400"}});
  for (const Shape s : {Shape{101, 1000}, {101, 30}, {10800, 9000}, {25001, 19001}, {43000, 40000}, {90000, 80000}})
    expect_same(*program, final, s);
}

// So it has of sums that the device's memory does by itself and a block's exchanges, but goes over the elements once.
TEST(Histogram, HasBlocksKeepBinsOfLongSums) {
  std::string text = kProgram;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"i32", "i64"}, {"add32", "add64"}}) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from)) text.replace(at, from.size(), to);
  }
  Result<seg::Program> program = read_program(text, "test.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  const host::Program final = compiled(*program, {{"263 <", "3 <"}, {"< 40960", "< 400"}});
  EXPECT_TRUE(std::ranges::any_of(final.kernels,
                                  [](const nest::Kernel& k) { return k.name.find("_wide") != std::string::npos; }));
  for (const Shape s : {Shape{101, 1000}, {101, 30}, {5000, 4000}, {25001, 19001}})
    expect_same(*program, final, s, prim::Type::I64);
}

// Three sums of products, which no atomic operation updates; of a block's bins there are several of each where they are few.
TEST(Histogram, UpdatesTuplesUnderLocksBetweenBarriers) {
  Result<seg::Program> program = read_program(R"(types {}
entry("main", {k: i64, is: []i64, xs: []i32}, {[]i32, []i32, []i32})
  entry_main (n_1 : i64, k_2 : i64, is_3 : [n_1]i64, xs_4 : [n_1]i32) : {*[k_2]i32, *[k_2]i32, *[k_2]i32} = {
  let {ones_5 : [k_2]i32} = replicate([k_2], 0i32)
  let {twos_6 : [k_2]i32} = replicate([k_2], 0i32)
  let {threes_7 : [k_2]i32} = replicate([k_2], 0i32)
  let {one_8 : [k_2]i32, two_9 : [k_2]i32, three_10 : [k_2]i32} = seghist(thread; ; grid=1i64; blocksize=256i64) (i_11 < n_1) (~t_12)
    ([k_2], 1i64, {ones_5, twos_6, threes_7}, {0i32, 0i32, 0i32}, ,
     \ {a_13 : i32, b_14 : i32, c_15 : i32, d_16 : i32, e_17 : i32, f_18 : i32} : {i32, i32, i32} ->
      let {one_19 : i32} = add32(a_13, d_16)
      let {ad_20 : i32} = mul32(a_13, d_16)
      let {be_21 : i32} = add32(b_14, e_17)
      let {two_22 : i32} = add32(be_21, ad_20)
      let {ae_23 : i32} = mul32(a_13, e_17)
      let {bd_24 : i32} = mul32(b_14, d_16)
      let {cf_25 : i32} = add32(c_15, f_18)
      let {more_26 : i32} = add32(ae_23, bd_24)
      let {three_27 : i32} = add32(cf_25, more_26)
      in {one_19, two_22, three_27}) : {i64, i32, i32, i32} {
    let {bin_28 : i64} = is_3[i_11]
    let {x_29 : i32} = xs_4[i_11]
    return {returns bin_28, returns x_29, returns 0i32, returns 0i32}
  }
  in {one_8, two_9, three_10}
}
)",
                                              "test.fut_gpu");
  ASSERT_TRUE(program) << program.error().message;
  KernelOptions compile;
  compile.for_blocks();
  Result<PlannedProgram> planned = compile_kernels(*program, compile);
  ASSERT_TRUE(planned) << planned.error().message;
  Result<host::Program> built = host::build(*planned, {true});
  ASSERT_TRUE(built) << built.error().message;

  auto evaluated = [&](const host::Program& compiled, const Shape& s) {
    auto cells = [&](auto value) {
      auto all = std::make_shared<std::vector<int64_t>>();
      for (int64_t i = 0; i < s.elements; ++i) all->push_back(seg::to_cell(value(i)));
      return all;
    };
    auto bins = cells([&](int64_t i) { return prim::Value::i64(i * 7919 % (s.bins + 3) - 1); });
    auto values = cells([](int64_t i) { return prim::Value::i32(static_cast<int32_t>(i * 11 % 17 - 7)); });
    std::vector<seg::TypedValue> inputs = {seg::TypedValue{prim::Value::i64(s.bins)},
                                           {seg::Array{prim::Type::I64, {s.elements}, bins}},
                                           {seg::Array{prim::Type::I32, {s.elements}, values}}};
    seg::EvalOptions options;
    options.max_steps = 100'000'000;
    return std::pair{seg::evaluate(*program, "main", inputs, options),
                     host::evaluate(compiled, "main", inputs, options)};
  };
  for (const Shape s : {Shape{3, 700}, {913, 3000}, {100, 0}}) {
    const auto [expected, actual] = evaluated(*built, s);
    ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
    ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << actual.message;
    for (size_t r = 0; r < expected.values.size(); ++r)
      EXPECT_EQ(seg::to_text(actual.values[r].value), seg::to_text(expected.values[r].value)) << s.bins;
  }

  // The barriers next to the updates are needed.
  const std::string text = host::to_text(*built), barrier = "barrier;";
  const size_t locked = text.rfind("locked of_block");  // what is for more points than bins comes last
  ASSERT_NE(locked, std::string::npos) << text;
  for (const size_t at : {text.rfind(barrier, locked), text.find(barrier, locked)}) {
    ASSERT_NE(at, std::string::npos);
    Result<host::Program> without = host::read(std::string(text).erase(at, barrier.size()));
    ASSERT_TRUE(without) << without.error().message;
    EXPECT_THAT(evaluated(*without, {913, 3000}).second.message,
                testing::AnyOf(testing::HasSubstr("at the same time"), testing::HasSubstr("nothing has written")));
  }
}

// The kernel with this at the end of its name: its buffers as text.
std::string buffers_of(const std::string& end, const char* text) {
  Result<seg::Program> program = read_program(text, "test.fut_gpu");
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  KernelOptions compile;
  compile.for_blocks();
  Result<PlannedProgram> planned = compile_kernels(*program, compile);
  EXPECT_TRUE(planned) << (planned ? "" : planned.error().message);
  Result<host::Program> built = host::build(*planned, {true});
  EXPECT_TRUE(built) << (built ? "" : built.error().message);
  std::string buffers;
  for (const nest::Kernel& k : built->kernels) {
    if (!k.name.ends_with(end)) continue;
    for (const nest::Buffer& b : k.buffers) buffers += nest::to_text(b) + "\n";
  }
  return buffers;
}

// Where bins are to stay in the cache, elements are not; what several points read is.
TEST(Histogram, KeepsElementsOutOfTheCacheThatBinsAreToStayIn) {
  EXPECT_EQ(buffers_of("_large", kProgram),
            "bins_5: global i32[k_2]\n"
            "is_3: global read_once i64[n_1]\n"
            "xs_4: global read_once i32[n_1]\n");
  EXPECT_EQ(buffers_of("seghist_6", kProgram).find("read_once"), std::string::npos);
  std::string gathered = kProgram;
  const std::string own = "xs_4[i_7]";
  gathered.replace(gathered.find(own), own.size(), "xs_4[bin_12]");
  EXPECT_EQ(buffers_of("_large", gathered.c_str()),
            "bins_5: global i32[k_2]\n"
            "is_3: global read_once i64[n_1]\n"
            "xs_4: global i32[n_1]\n");
}

TEST(Histogram, IsOfWhatAMapFindsWhereThatTakesLoopsOverArrays) {
  KernelOptions options;
  options.for_blocks();
  const PlannedProgram program = planned(test_program("nearest.fut_gpu"), options);
  std::map<std::string, std::vector<std::string>> recipes;
  for (const HostOp& op : host_ops(program)) recipes[op.entry].push_back(op.lowered->recipe);
  EXPECT_THAT(recipes["owners"], testing::ElementsAre("a thread for each point, blocks staging what all points read",
                                                      "histogram by blocks of threads"));
  EXPECT_THAT(recipes["steps"], testing::ElementsAre("histogram by blocks of threads"));
}

// Which would be as many elements as there are rows for each of many trees.
TEST(Histogram, FindsItselfInSeveralSegmentsWhatNoThreadsWouldShare) {
  KernelOptions options;
  options.for_blocks();
  const PlannedProgram program = planned(test_program("leaves.fut_gpu"), options);
  std::vector<std::string> recipes;
  for (const HostOp& op : host_ops(program)) recipes.push_back(op.lowered->recipe);
  EXPECT_THAT(recipes, testing::ElementsAre("histogram by blocks of threads"));
}

}  // namespace
}  // namespace heddle::lower
