// What is refused a tiled kernel because tilings have no room for it, and what is just not.
#include <gtest/gtest.h>

#include "rewrites/recipes/alternatives.h"
#include "runtime/device/limits.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::lower {
namespace {

using poly::Polynomial;
using prim::Type;

// A matrix product that is asked more and more of.
class Limits : public testing::Test {
 protected:
  Limits() {
    direct_.kernel = example_.direct;
    for (const nest::ScalarParam& p : direct_.kernel.scalars) direct_.scalar_args.emplace_back(var(p.name));
    for (const nest::Buffer& b : direct_.kernel.buffers) direct_.buffer_args.emplace_back(HostArray{b.name});
  }

  static nest::Expr var(const Name& n) { return nest::var(n, Type::I64); }

  Name scalar(const std::string& base) {
    Name n = names_.fresh(base);
    direct_.kernel.scalars.push_back({n, Type::I64});
    direct_.scalar_args.emplace_back(var(n));
    return n;
  }

  // Why there is no tiled kernel; empty if there is one.
  std::string refused() {
    auto ways = alternatives(match_, direct_, Products::AsWritten, names_);
    return ways ? "" : ways.error().message;
  }

  NameSource names_{1};
  examples::Example example_ = examples::product(names_);
  recognize::Contraction match_ = example_.contraction;
  Launch direct_;
};

TEST_F(Limits, OfOperands) {
  while (match_.operands.size() < HD_MAX_TILED_OPERANDS) {
    recognize::Operand more = match_.operands[match_.operands.size() % 2];
    more.value = names_.fresh("more");
    more.index.back() = more.index.back() + Polynomial(static_cast<int64_t>(match_.operands.size()));
    match_.term = nest::operation(match_.reduce, {match_.term, nest::var(more.value, more.elem)});
    match_.operands.push_back(more);
  }
  EXPECT_EQ(refused(), "");
  match_.operands.push_back(match_.operands.back());
  EXPECT_EQ(refused(), "there are 9 operands, and tilings have room for 8");
}

TEST_F(Limits, OfParallelIndices) {
  // Of which those that nothing depends on are as good as any.
  while (match_.parallel.size() < HD_MAX_TILED_INDICES) {
    match_.parallel.insert(match_.parallel.begin(), {names_.fresh("p"), var(scalar("n"))});
  }
  EXPECT_EQ(refused(), "");
  match_.parallel.insert(match_.parallel.begin(), {names_.fresh("p"), var(scalar("n"))});
  EXPECT_EQ(refused(), "there are 9 parallel indices, and tilings have room for 8");
}

// They move windows, so that no two of them could be taken as one.
TEST_F(Limits, OfReductionIndices) {
  auto add = [&] {
    match_.reduction.insert(match_.reduction.begin(), {names_.fresh("r"), var(scalar("n"))});
    Polynomial& at = match_.operands[0].index[1];
    at = at + Polynomial::of(match_.reduction[0].name);
  };
  while (match_.reduction.size() < HD_MAX_TILED_INDICES) add();
  EXPECT_EQ(refused(), "");
  add();
  EXPECT_EQ(refused(), "there are 9 reduction indices, and tilings have room for 8");
}

// A stride is a constant of the kernel.
TEST_F(Limits, OfSizesThatKernelsAreCompiledFor) {
  auto stride = [&](int num_sizes) {
    Polynomial product(1);
    for (int i = 0; i < num_sizes; ++i) product = product * Polynomial::of(scalar("stride"));
    match_.operands[0].index[0] = product * Polynomial::of(match_.parallel[0].name);
  };
  stride(HD_MAX_FIXED_SIZES);
  EXPECT_EQ(refused(), "");
  stride(HD_MAX_FIXED_SIZES + 1);
  EXPECT_EQ(refused(), "there are 33 sizes that a kernel is compiled for, and tilings have room for 32");
}

}  // namespace
}  // namespace heddle::lower
