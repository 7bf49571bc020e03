// The plan of a whole program: its operations and the arrays between them, what each recipe proposed, and what was chosen.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "frontend_bridge/cli/host_sizes.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::cli {

// Host control nested as in the program; after each function, its pipelines of stages (explain/stages.h says what of `tile`).
std::string plan_text(const lower::PlannedProgram& program, const stencil::Tile& tile = {});

// For Graphviz: a digraph for each function, operations as boxes with their recipes, arrays on the edges; and one for each
// pipeline of stages.
std::string plan_dot(const lower::PlannedProgram& program);

// The same as data: for each function its nodes, edges and pipelines. Kernels have the number of their blocks where the sizes say it.
nlohmann::json plan_json(const lower::PlannedProgram& program, HostSizes& sizes);

}  // namespace heddle::cli
