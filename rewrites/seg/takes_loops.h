// Points that take long.
#pragma once

#include <algorithm>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// Whether what a point has takes it more than a few steps: so that it is done once, and by a thread of its own.
inline bool takes_loops(const KernelBody& body) {
  return std::ranges::any_of(body.stms, [](const StmPtr& s) {
    return std::holds_alternative<Loop>(s->exp) || std::holds_alternative<Screma>(s->exp) ||
           std::holds_alternative<Stream>(s->exp);
  });
}

}  // namespace heddle::seg
