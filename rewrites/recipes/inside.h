// What a stage's point computes that is far from all borders: no test of a border is left of what such points decide alike.
//   a[max(y - 1, 0)] + a[min(y + 1, h - 1)]     inside, with margin 1:     a[y - 1] + a[y + 1]
// Where a border is not the stage's own, no margin tells how far away it is: 0 <= y < n, of which nothing is known about h,
//   a[max(min(y - 7, h - 1), 0)]                inside, with limits h + 6 - y and y - 7:     a[y - 7]
#pragma once

#include "ir/nest/facts.h"
#include "rewrites/recognize/windows.h"

namespace heddle::lower {

struct Inside {
  nest::Block work;
  std::vector<int64_t> margin;  // by index, in points: how far away from both ends it is
  // What must not be negative, over indices and the kernel's parameters.
  struct Limit {
    nest::Expr value;
    bool grows;  // with all indices in it; else it falls with all
  };
  std::vector<Limit> limits;
};

// The work of a stage's point; `facts` hold where it begins, those about the indices included. `kernel`: whose parameters and buffers it uses.
Inside inside_of(const nest::Block& work, const std::vector<recognize::Index>& indices, const nest::Kernel& kernel,
                 nest::Facts& facts);

// Whether the limits hold at all points of a box.
nest::Expr within_limits(const Inside& inside, const std::vector<recognize::Index>& indices,
                         const std::vector<nest::Expr>& first, const std::vector<nest::Expr>& last);

}  // namespace heddle::lower
