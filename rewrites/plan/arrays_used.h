// Which arrays statements of a planned body use: what is planned, those that its kernels are handed.
#pragma once

#include <functional>

#include "ir/seg/traverse.h"
#include "rewrites/graph/graph.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Adds the arrays that a plan's kernels are handed, or want to know sizes of.
void add_arguments(const Plan& plan, seg::NameSet& arrays);

// Of all but the statements that are left out; those in bodies within are not asked about.
seg::NameSet arrays_used(const seg::Stms& stms, const PlannedProgram& planned,
                         const std::function<bool(const seg::Stm&)>& is_left_out);
// With what the body yields.
seg::NameSet arrays_used(const seg::Body& body, const PlannedProgram& planned,
                         const std::function<bool(const seg::Stm&)>& is_left_out);

// Whether statements overwrite memory of these arrays.
bool overwrite_any(const seg::Stms& stms, const seg::NameSet& arrays, const graph::Graph& graph);

}  // namespace heddle::lower
