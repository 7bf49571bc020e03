// The kernels of a lowered program with what each of them is for: all ways to compute each op, tiled ones, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrites/plan/planned_program.h"

namespace heddle {

struct ListedKernel {
  const nest::Kernel* kernel;      // of the program it was taken from
  std::vector<std::string> about;  // lines: of which op it is a way, when the way is open, what the constants are
};

// In the order of the program's text. Of an op, first what computes it where no other way is open, then the other ways
// in order of preference.
std::vector<ListedKernel> list_kernels(const lower::PlannedProgram& program);

// `text` of each, under its lines, each of which begins with `comment`.
std::string kernel_listing(const lower::PlannedProgram& program, const std::string& comment,
                           const std::function<std::string(const nest::Kernel&)>& text);

}  // namespace heddle
