// Programs whose kernels are run beside what they compute, in evaluators that find races, and elements that do not exist or that nobody wrote.
#pragma once

#include <gtest/gtest.h>

#include "ir/host/eval.h"
#include "tests/rewrites/planned.h"

namespace heddle {

class EvaluatedKernels : public testing::Test {
 protected:
  // A text in tests/rewrites/data.
  EvaluatedKernels(const std::string& name, const KernelOptions& options) {
    const std::string text = test_program(name);
    program_ = *read_program(text, "test.fut_gpu");
    built_ = *host_program(planned(text, options), {true}, options);
  }

  void expect_same(const std::string& entry, const std::vector<seg::TypedValue>& inputs) const {
    seg::EvalOptions options;
    options.max_steps = 400'000'000;
    const seg::EvalResult expected = seg::evaluate(program_, entry, inputs, options);
    const seg::EvalResult actual = host::evaluate(built_, entry, inputs, options);
    ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << entry << ": " << expected.message;
    ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << entry << ": " << actual.message;
    for (size_t k = 0; k < expected.values.size(); ++k)
      EXPECT_EQ(seg::to_text(actual.values[k].value), seg::to_text(expected.values[k].value)) << entry;
  }

  static seg::TypedValue integers(std::vector<int64_t> shape) {
    seg::Array a{prim::Type::I32, std::move(shape), nullptr};
    a.cells = std::make_shared<std::vector<int64_t>>();
    for (int64_t i = 0; i < *seg::element_count(a.shape); ++i)
      a.cells->push_back(seg::to_cell(prim::Value::i32(static_cast<int32_t>(i * i % 101 - 17))));
    return {a};
  }

 private:
  seg::Program program_;
  host::Program built_;
};

}  // namespace heddle
