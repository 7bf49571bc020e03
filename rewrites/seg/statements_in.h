// How long code is.
#pragma once

#include "ir/seg/traverse.h"

namespace heddle::seg {

// All statements in a node, those of loops, branches, operators and kernels included.
template <class Node>
int statements_in(const Node& node) {
  struct Count {
    int statements = 0;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const BodyPtr& b) { return add(b->stms); }
    bool enter(const KernelBodyPtr& b) { return add(b->stms); }
    bool add(const Stms& stms) {
      statements += static_cast<int>(stms.size());
      return true;
    }
  } count;
  walk(count, node);
  return count.statements;
}

}  // namespace heddle::seg
