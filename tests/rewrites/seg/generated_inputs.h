// Arguments for the entry points of any program.
#pragma once

#include <string>
#include <vector>

#include "ir/seg/eval.h"
#include "ir/seg/syntax.h"

namespace heddle::seg {

// Small integers for numbers, so that sums of floats have the same bits in any order; sizes of arrays are taken in turn
// from `sizes`, and so are integers of 64 bits, which often say how many there are of something.
std::vector<TypedValue> generated_inputs(const Program& program, const FunDef& entry,
                                         const std::vector<int64_t>& sizes);

// Sizes at which loops, chunks and segments have nothing, one thing or a remainder.
inline const std::vector<std::vector<int64_t>> kAwkwardSizes = {{0},    {1}, {2},    {3, 0},     {0, 3},
                                                                {1, 3}, {7}, {5, 3}, {13, 2, 3}, {2, 13, 5, 1}};

// As text, for messages.
std::string to_text(const std::vector<TypedValue>& values);

// What differs between two programs at an entry point, for the same arguments: results, or how they fail. Empty where
// nothing does, or where the first cannot be evaluated.
struct Comparison {
  bool evaluated = false;  // the first has results, or an assert of its failed
  std::string difference;
};
Comparison compare(const Program& before, const Program& after, const std::string& entry,
                   const std::vector<TypedValue>& inputs);

}  // namespace heddle::seg
