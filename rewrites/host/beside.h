// Which launches need nothing of each other, and take long enough to gain by running at the same time.
#pragma once

#include "rewrites/host/same_memory.h"

namespace heddle::host {

struct KernelTraits {
  bool can_fail = false;
  int64_t steps = 0;         // statements of a thread, one after the other, as far as is known
  std::vector<bool> writes;  // by buffer

  // Kernels that may fail take no part, since the host is told of the failure that came first; nor do those whose threads have little to do:
  // they take about as long as it takes to end in the right order, 2 us.
  bool may_run_beside() const;
};

std::vector<KernelTraits> kernel_traits(const Program& program);

// What a launch does to memory.
struct Use {
  Name memory;
  bool written;
};
std::vector<Use> uses_of(const Launch& launch, const KernelTraits& traits, const SameMemory& memory);
bool independent(const std::vector<Use>& some, const std::vector<Use>& others);

// Statements that the host executes by itself: nothing is queued for them.
bool queues_nothing(const Stmt& s);

}  // namespace heddle::host
