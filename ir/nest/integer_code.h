// Expressions over integers as linear code, for those that are evaluated many times.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

class IntegerCode {
 public:
  // The expressions are i64, without loads and calls, over these variables. Throws std::invalid_argument where they are
  // not. What they share is computed once, on whichever side of a `Select` it stands.
  IntegerCode(const std::vector<Name>& inputs, const std::vector<Expr>& values);

  // Reads as many numbers as there are inputs, and writes as many as there are values. What is divided by zero is 0.
  void run(const int64_t* inputs, int64_t* values) const;

 private:
  enum class Code : uint8_t { Add, Sub, Mul, Div, Mod, DivUp, Min, Max, Less, And, Not, Select };
  // dst = code(a, b, c), all of them numbers of slots.
  struct Step {
    Code code;
    uint32_t dst, a, b, c;
  };
  struct Compiler;

  size_t num_inputs_;               // in the first slots
  std::vector<int64_t> constants_;  // in the slots behind them
  std::vector<Step> steps_;
  std::vector<uint32_t> results_;  // the slot of each value
  size_t num_slots_ = 0;
};

}  // namespace heddle::nest
