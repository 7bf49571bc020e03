// Which variables and register buffers of a kernel may hold different values in the threads of one block or warp.
#pragma once

#include "ir/nest/traverse.h"

namespace heddle::nest {

struct Varying {
  NameSet names;    // variables and buffers
  NameSet atomics;  // buffers that are updated atomically: when a thread reads them decides what it sees

  // Whether the threads may disagree about the value.
  bool depends(const Expr& e) const;
};

// Supposes that the kernel has no data races.
Varying varying(const Kernel& kernel, Scope scope);

}  // namespace heddle::nest
