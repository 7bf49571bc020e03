// The passes over host programs, in the order in which they run. A pass' name here is its name on the command line
// (`heddle pass NAME`).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "ir/host/host.h"
#include "ir/support/error.h"

namespace heddle::host {

struct Pass {
  std::string_view name;
  std::string_view description;
  std::string_view why_here;  // why it stands where it stands, a clause
  Program (*run)(Program);
};

std::span<const Pass> passes();

// Is told of each pass and what it made; an error ends the run.
using PassWatcher = std::function<std::optional<Error>(const Pass&, const Program& after)>;

// All of them; `watch` may be null.
Result<Program> run_passes(Program program, const PassWatcher& watch = nullptr);

}  // namespace heddle::host
