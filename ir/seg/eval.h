// The reference evaluator of seg programs, in either form: slow, plain and safe. No program makes it crash or run on
// for ever.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/seg/syntax.h"
#include "ir/seg/value.h"

namespace heddle::seg {

// Which branch to take where all compute the same (`match <equiv>`).
enum class Versions {
  ByCondition,
  Default,        // always the default
  FirstFeasible,  // the first case that can run: all thresholds count as passed
};

struct EvalOptions {
  std::map<std::string, int64_t> tuning;  // values of tuning parameters, by name; defaults are Futhark's
  Versions versions = Versions::ByCondition;
  int64_t max_steps = 2'000'000'000;     // statements, and a share of one for each element made
  int64_t max_cells = int64_t{1} << 27;  // array elements alive at a time; each takes 8 bytes
  int max_depth = 400;                   // of nested bodies and calls
};

enum class Outcome {
  Ok,
  Input,         // no such entry point, or arguments that it does not take
  ProgramError,  // an assert failed: `message` and `location` are Futhark's
  Unsupported,   // something that is not evaluated, such as vjp
  Limit,         // too many steps, too much memory, too deep
  Broken,        // the program does what no well-formed program does, so whatever made it is broken
};

struct EvalResult {
  Outcome outcome = Outcome::Ok;
  std::vector<TypedValue> values;  // what the entry point yields, constituent by constituent
  std::string message;
  std::string location;            // of the assert, in the Futhark program
  int line = 0;                    // of the last statement begun
  std::vector<std::string> trace;  // what #[trace] printed
};

// A tuning parameter's value where nobody says another, and the most it may be.
int64_t default_size(const SizeClass& c);
int64_t max_size(const SizeClass& c);

// `inputs` are the constituents of the entry point's parameters, without sizes.
EvalResult evaluate(const Program& program, std::string_view entry, const std::vector<TypedValue>& inputs,
                    const EvalOptions& options = {});

}  // namespace heddle::seg
