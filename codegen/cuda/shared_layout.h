// Where a kernel's shared buffers lie in the block's dynamic shared memory.
#pragma once

#include <unordered_map>

#include "ir/nest/nest.h"

namespace heddle::codegen {

struct SharedLayout {
  std::unordered_map<Name, nest::Expr> offsets;  // bytes, multiples of 16
  std::vector<std::pair<Name, nest::Expr>>
      order;         // the same buffers one after the other, and how many bytes each takes
  nest::Expr total;  // bytes
};
SharedLayout shared_layout(const nest::Kernel& kernel);

// The number of elements between a buffer's first element and the end of its last, over what its dims and strides use.
nest::Expr extent_in_elements(const nest::Buffer& buffer);

}  // namespace heddle::codegen
