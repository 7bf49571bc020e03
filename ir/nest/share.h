// Expressions that have parts in common, with names for these.
#pragma once

#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

struct Shared {
  std::vector<Let> lets;  // in the order in which they can be computed
  std::vector<Expr> values;
};

// The same values, in which each operation occurs once: what several of them use has a name. Expressions must have no
// loads, and operations none that fails: what is shared is computed whether the side of a `Select` that uses it is taken
// or not.
Shared share(const std::vector<Expr>& values, NameSource& names);

}  // namespace heddle::nest
