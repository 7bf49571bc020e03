// The reference evaluator of host programs: runs their statements on values, and their kernels with ir/nest's evaluator. It
// finds arrays that are used after their end, memory that nobody gives back or reads before anybody writes to it.
#pragma once

#include <string_view>
#include <vector>

#include "ir/host/host.h"
#include "ir/seg/eval.h"

namespace heddle::host {

// As of seg programs (ir/seg/eval.h), with the same outcomes: of a failure in a kernel, of limits, of broken programs. `versions`
// matters to seg only. No family has a kernel for any sizes here.
seg::EvalResult evaluate(const Program& program, std::string_view entry, const std::vector<seg::TypedValue>& inputs,
                         const seg::EvalOptions& options = {});

}  // namespace heddle::host
