// The reference evaluator: runs a kernel on given arguments, all threads of all blocks with real barriers, and finds
// what no test of results can be trusted to find: accesses out of bounds, reads of elements that nothing wrote, data
// races, barriers that not all threads reach.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

// What a global buffer lies in. Buffers must not share memory, as the kernel's own rules say.
struct Memory {
  std::vector<prim::Value> data;
  std::vector<bool> written;  // one per element of `data`
  int64_t offset = 0;         // where in `data` the buffer's element (0, ..., 0) is
};
Memory memory_of(std::vector<prim::Value> data);  // all written
Memory unwritten_memory(prim::Type elem, int64_t num_elems);

enum class Trouble {
  BadArguments,  // they do not fit the kernel's parameters
  OutOfBounds,
  Unwritten,  // an element is read that nothing wrote
  Race,
  Divergence,  // not all threads reach a barrier
  Undefined,   // an operator is applied to operands for which it is undefined
  TooLong,     // the limit of steps is reached
};

struct Problem {
  Trouble kind;
  std::string text;  // who, what, where
};

// A nest::Fail that was reached. Of several, the first in the first block that has one, as long as its threads are in
// step.
struct Failed {
  int id;
  std::vector<prim::Value> args;
  int64_t block;
  int64_t thread;
};

struct Outcome {
  std::optional<Problem> problem;  // evaluation ends at the first
  std::optional<Failed> failed;
  int64_t steps = 0;
};

struct EvalOptions {
  int64_t max_steps = int64_t{1} << 32;
};

// The kernel must have passed the verifier.
Outcome evaluate(const Kernel& kernel, const std::vector<prim::Value>& scalars, std::vector<Memory>& buffers,
                 const EvalOptions& options = {});

// The value of an expression without loads. Nothing if an operator is undefined or a variable has no value.
std::optional<prim::Value> evaluate(const Expr& e, const std::unordered_map<Name, prim::Value>& values);

}  // namespace heddle::nest
