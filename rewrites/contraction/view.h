// Contractions of arrays that are seen in other dimensions than those of the kernel they were found in.
#pragma once

#include <vector>

#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

// Memory seen as a buffer of its own: `of` is a buffer that has been there before, maybe a view, too.
struct View {
  nest::Buffer buffer;
  Name of;
};

// A contraction whose buffers are those that have been there before, and the views.
struct Viewed {
  recognize::Contraction contraction;
  std::vector<View> views;
};

// Two expressions over a kernel's scalars have the same value.
struct Equation {
  nest::Expr left, right;
};

}  // namespace heddle::contraction
