// A kernel that stores its results over the elements that they are computed from.
#pragma once

#include <optional>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::host {

// Where a thread reads `from` before it stores an element of `to`, if nothing else is done with either. Threads that stored the same
// element twice would race, so no other reads there.
struct Places {
  std::vector<nest::Expr> stored, read;
};
std::optional<Places> places(const nest::Kernel& kernel, const Name& to, const Name& from);

// The kernel that stores to `from` at these indices what it stored to `to`, which it has no more.
nest::Kernel storing_there(nest::Kernel kernel, const Name& to, const Name& from, const std::vector<nest::Expr>& at);

}  // namespace heddle::host
