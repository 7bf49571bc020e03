// The C text computes what eval and eval_function compute, bit for bit.
#include <gtest/gtest.h>

#include "tests/ir/prim_c_table.h"
#include "tests/ir/prim_samples.h"

namespace heddle::prim {
namespace {

using samples::Callable;

std::array<uint64_t, 3> slots(std::span<const Value> operands) {
  std::array<uint64_t, 3> result = {};
  for (size_t i = 0; i < operands.size(); ++i) result[i] = samples::to_slot(operands[i]);
  return result;
}

bool agree(const Callable& callable, const Value& expected, const Value& actual) {
  return actual == expected || (samples::ignores_sign_of_zero(callable) && expected.f == 0 && actual.f == 0);
}

using Apply = bool(int, const uint64_t*, uint64_t*);

// How many results were compared. Operands for which the operator is undefined are run, but anything is right.
int compare(const Callable& callable, int number, Apply* apply) {
  int compared = 0, failures = 0;
  for (const std::vector<Value>& operands : samples::operand_samples(callable.args)) {
    if (samples::breaks_promise(callable, operands)) continue;
    uint64_t slot = 0;
    if (!apply(number, slots(operands).data(), &slot)) return 0;
    std::optional<Value> expected = callable.eval(operands);
    if (!expected) continue;
    ++compared;
    Value actual = samples::from_slot(callable.result, slot);
    if (agree(callable, *expected, actual)) continue;
    ADD_FAILURE() << samples::describe(callable, operands) << " is " << to_text(actual) << " in C, but "
                  << to_text(*expected) << " by evaluation";
    if (++failures == 5) break;
  }
  return compared;
}

TEST(PrimC, EveryFunctionComputesWhatEvaluationDoes) {
  std::vector<Callable> callables = samples::all_callables();
  int64_t compared = 0;
  for (size_t i = 0; i < callables.size(); ++i) {
    int some = compare(callables[i], static_cast<int>(i), prim_c_call);
    EXPECT_GT(some, 0) << callables[i].name;
    compared += some;
  }
  RecordProperty("compared", std::to_string(compared));
}

TEST(PrimC, InfixOperatorsComputeWhatEvaluationDoes) {
  std::vector<Callable> callables = samples::all_callables();
  for (size_t i = 0; i < callables.size(); ++i) {
    bool infix = callables[i].op && c_infix(*callables[i].op);
    int some = compare(callables[i], static_cast<int>(i), prim_c_infix);
    EXPECT_EQ(some > 0, infix) << callables[i].name;
  }
}

TEST(PrimC, LiteralsDenoteTheirValues) {
  int number = 0;
  for (int t = 0; t < static_cast<int>(Type::Unit); ++t) {
    for (const Value& value : samples::samples(static_cast<Type>(t), samples::kLiteralSamples)) {
      uint64_t slot = 0;
      ASSERT_TRUE(prim_c_literal(number++, &slot));
      EXPECT_EQ(to_text(samples::from_slot(value.type, slot)), to_text(value)) << c_literal(value);
    }
  }
}

}  // namespace
}  // namespace heddle::prim
