// Which elements of host arrays the kernels of a plan read and write, and how much work a point is: what `explain --plan` says
// of the arrays between operations and of costs.
#pragma once

#include <string>
#include <vector>

#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// The elements of an array that one kernel reads or writes: their indices, over loop indices and host scalars, as polynomials of
// these (index_map.h) where they are such.
struct Access {
  Name array;
  bool writes = false;
  std::vector<std::vector<nest::Expr>> elements;  // one list of indices for each place in the text, equal ones once
};

// Of the plan's first kernel. Results are called `results[i]`, in the order of the plan's.
std::vector<Access> accesses(const Plan& plan, const std::vector<Name>& results);

// What is done for a point, or in each step of a loop: as often as the text has it.
struct Work {
  nest::Expr steps;                           // of the loop; null: of the point itself
  int loads = 0, stores = 0, operations = 0;  // of and to global memory; arithmetic on values, not on indices
};

// Of the plan's first kernel: the point's, then that of each serial loop in it.
std::vector<Work> work_of(const Plan& plan);

}  // namespace heddle::lower
