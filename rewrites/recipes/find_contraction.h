// Whether the points of a segmap are a contraction, and what becomes of it then.
#pragma once

#include "rewrites/points/kernel_builder.h"
#include "rewrites/recipes/alternatives.h"
#include "rewrites/recipes/sums_in_parts.h"

namespace heddle::lower {

// What recognition is shown of a kernel.
struct Seen {
  std::vector<recognize::Index> indices;  // in the order in which the result lies in memory
  nest::Block work;                       // of the point at the indices
  Launch launch;                          // of the kernel that does it point by point, with its parameters
};

// Without a loop nothing is reduced.
bool has_loop(const nest::Block& work);

void tell_indices(nest::Facts& facts, const std::vector<recognize::Index>& indices);

// The contraction and the ways to compute it faster; no ways, and the reason, where there are none.
struct FoundContraction {
  std::optional<recognize::Contraction> match;
  std::vector<Specialized> ways;
  std::string why_not;
  std::optional<SumsInParts> until_tiled =
      {};  // where a host loop changes the sizes, so that there may never be a tiled kernel for them
};

// Where checks are in the way, or divisions of indices, they are left out as far as they have no effect under a condition that
// the host can check, and that becomes a part of the guard. `facts` hold where the work begins, but for what the indices say.
FoundContraction find_contraction(Seen seen, const HostScope& host, nest::Facts& facts, Products products,
                                  NameSource& names);

}  // namespace heddle::lower
