// What the rewrites on nests derive is not only evaluated: its text compiles and computes the same.
#include <gtest/gtest.h>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/samples.h"
#include "rewrites/contraction/steps.h"
#include "tests/codegen/compiled_kernels.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::codegen {
namespace {

using nest::Kernel;
using nest::Memory;
using prim::Value;

struct Case {
  Kernel kernel;
  std::vector<Value> scalars;
  std::vector<Memory> buffers;
};

// For the values of a sample; the result is the last of the buffers.
Case instantiated(const Kernel& derived, const contraction::Sample& sample, size_t number) {
  std::unordered_map<Name, int64_t> constants;
  for (const Name& c : derived.constants) constants.emplace(c, sample.at(c).i);
  Case result{nest::instantiate(derived, constants), {}, {}};
  result.kernel.name += "_" + std::to_string(number);
  for (const nest::ScalarParam& p : result.kernel.scalars) result.scalars.push_back(sample.at(p.name));
  for (nest::Buffer& b : result.kernel.buffers) {
    b.strides = nest::dense_strides(b.dims);
    int64_t n = 1;
    for (const nest::Expr& d : b.dims) n *= nest::evaluate(d, sample)->i;
    std::vector<Value> data;
    for (int64_t i = 0; i < n; ++i) data.push_back(Value::of_float(b.elem, static_cast<double>((7 * i + n) % 11 - 5)));
    bool is_result = &b == &result.kernel.buffers.back();
    result.buffers.push_back(is_result ? nest::unwritten_memory(b.elem, n) : nest::memory_of(std::move(data)));
  }
  return result;
}

void expect_compiled_text_agrees(const examples::Example& e) {
  contraction::Derivation d = contraction::derive(e.contraction, e.direct);
  ASSERT_EQ(d.stopped, "");
  std::vector<Case> cases;
  std::vector<contraction::Sample> samples = contraction::samples(d);
  ASSERT_GE(samples.size(), 3u);
  // The C compiler takes long over each.
  samples.resize(3);
  for (const contraction::Sample& sample : samples)
    cases.push_back(instantiated(d.steps.back().kernel, sample, cases.size()));
  std::vector<Kernel> kernels;
  for (const Case& c : cases) kernels.push_back(c.kernel);
  CompiledKernels compiled(kernels);
  for (size_t i = 0; i < cases.size(); ++i)
    expect_agreement(compiled, i, cases[i].kernel, cases[i].scalars, cases[i].buffers);
}

TEST(DerivedKernels, Product) {
  NameSource names(1);
  expect_compiled_text_agrees(examples::product(names));
}

TEST(DerivedKernels, Convolution) {
  NameSource names(1);
  expect_compiled_text_agrees(examples::convolution(names));
}

TEST(DerivedKernels, PaddedConvolution) {
  NameSource names(1);
  expect_compiled_text_agrees(examples::padded_convolution(names));
}

}  // namespace
}  // namespace heddle::codegen
