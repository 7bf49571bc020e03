// What holds of nearly all sizes and numbers.
#pragma once

#include "ir/nest/facts.h"
#include "rewrites/points/host_scope.h"

namespace heddle::lower {

// A condition on host scalars that nearly every launch satisfies, though nothing enforces it: that the kernel's
// parameters and what they are computed from are not negative, nor 0 if they divide, and far from where 64 bits end.
// What `facts` say already is left out; the rest is added to them.
nest::Expr size_assumptions(const HostScope& host, const nest::Kernel& kernel, const nest::Block& body,
                            nest::Facts& facts);

}  // namespace heddle::lower
