// Chooses for each operation of a program how it is carried out: the first of the recipes' proposals. Versions of the host's
// incremental flattening that no recipe can do are left out.
//
//   let {r} = if <equiv> c then { ...segmap(thread)... } else { ...segmap(block)... }
// where the second branch is refused becomes the first branch. A program with an operation that is refused and has no other
// version is refused with that reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/plan/planned_program.h"
#include "rewrites/recipes/recipe.h"
#include "rewrites/stencil/partition.h"

namespace heddle::lower {

struct PlanOptions {
  Device device = Device::Threads;
  stencil::Strategy fusion = stencil::Strategy::Largest;  // of stages, where blocks of threads work together
  stencil::Models models = {};                            // what strategies decide by, and tiles
  Products products = Products::Fewer;                    // of contractions
  std::optional<int64_t> time_tile = {};  // steps of iterated stencils in a kernel, if so many can be; else by a model
};

// Expects a program without calls of its own functions (inline_functions) and without SOACs in host code (host_soacs).
Result<PlannedProgram> plan_program(const seg::Program& program, const PlanOptions& options = {});

// What nest::verify finds in the program's kernels, each sentence preceded by the kernel's name.
std::vector<std::string> verify_kernels(const PlannedProgram& planned);

}  // namespace heddle::lower
