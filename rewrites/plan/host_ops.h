// The seg ops and GPU bodies of a lowered program, in the order of its text.
#pragma once

#include <string>
#include <vector>

#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Points into the program that it was taken from.
struct HostOp {
  std::string entry;  // what the function is called from outside, or "(constants)"
  const seg::Stm* stm;
  const Plan* lowered;
};

std::vector<HostOp> host_ops(const PlannedProgram& program);

// As "sums_12 = segmap(i_3 < n_1)", or "x_4 = gpu".
std::string describe(const seg::Stm& s);

}  // namespace heddle::lower
