// Runs the same calls on the programs that two compilers made of one source.
#pragma once

#include <optional>

#include "tests/campaign/inputs.h"
#include "tests/campaign/server.h"

namespace heddle::campaign {

// What a call came to.
struct Outcome {
  Answer::Kind kind = Answer::Dead;
  std::string message;  // of a failure, without its backtrace
  std::string value;    // as stored
  std::string log;      // of the call
};

// Calls an entry on the inputs in a file.
Outcome call(Server& server, const Entry& entry, const std::string& inputs, const std::string& scratch);

// How two outcomes differ; nothing if they agree. Which of several indices out of bounds is reported may differ.
std::optional<std::string> difference(const Outcome& expected, const Outcome& got);

}  // namespace heddle::campaign
