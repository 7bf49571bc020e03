// The passes over host programs, in the order in which they run. A pass' name here is its name on the command line
// (`heddle pass NAME`).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "ir/support/error.h"
#include "rewrites/host/build.h"

namespace heddle::host {

struct Pass {
  std::string_view name;
  std::string_view description;
  std::string_view why_here;  // why it stands where it stands, a clause
  Program (*run)(Program);
  bool for_device = false;        // is of use only where the host and the kernels run side by side
  bool for_side_by_side = false;  // is of use only where kernels run at the same time
};

std::span<const Pass> passes();

// Is told of each pass and what it made; an error ends the run.
using PassWatcher = std::function<std::optional<Error>(const Pass&, const Program& after)>;

// All that are for the target; `watch` may be null.
Result<Program> run_passes(Program program, const BuildOptions& target, const PassWatcher& watch = nullptr);

}  // namespace heddle::host
