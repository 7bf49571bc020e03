// What kernels compute does not depend on who executes them.
#include "tests/codegen/random_nest.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

#include "codegen/cuda/kernel_text.h"
#include "ir/nest/printer.h"
#include "ir/nest/verify.h"
#include "tests/codegen/compiled_kernels.h"

namespace heddle::codegen {
namespace {

TEST(RandomNest, EvaluatorAndCompiledTextAgree) {
  setenv("RC_PARAMS", "max_success=30", 0);
  // One call of the compiler for many kernels.
  constexpr int kKernelsPerCase = 20;
  bool ok = rc::check("evaluator == compiled C", [] {
    std::vector<RandomCase> cases;
    std::vector<nest::Kernel> kernels;
    int num = *rc::gen::inRange(1, kKernelsPerCase + 1);
    for (int i = 0; i < num; ++i) {
      cases.push_back(random_case());
      cases.back().kernel.name = "random_" + std::to_string(i);
      kernels.push_back(cases.back().kernel);
    }
    CompiledKernels compiled(kernels, Warnings::Ignored);
    for (size_t i = 0; i < cases.size(); ++i) {
      const RandomCase& c = cases[i];
      std::vector<nest::Memory> evaluated = c.buffers, native = c.buffers;
      RC_ASSERT(nest::verify(c.kernel).empty());
      nest::Outcome outcome = nest::evaluate(c.kernel, c.scalars, evaluated);
      if (outcome.problem) RC_FAIL(outcome.problem->text + "\n" + nest::to_text(c.kernel));
      compiled.run(i, c.scalars, native);
      if (evaluated.back().data == native.back().data) continue;
      RC_FAIL(nest::to_text(c.kernel) + kernel_text(c.kernel));
    }
  });
  EXPECT_TRUE(ok);
}

}  // namespace
}  // namespace heddle::codegen
