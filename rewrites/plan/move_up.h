// Has an operation stand directly behind an earlier one, so that one kernel can do both.
//
//   let {a} = segscan..                         let {a} = segscan..
//   let {c} = segmap..                 =>       let {n} = add64(m, 1)
//   let {n} = add64(m, 1)                       let {b} = segmap.. a.. n
//   let {b} = segmap.. a.. n                    let {c} = segmap..
#pragma once

#include <optional>

#include "ir/seg/traverse.h"
#include "rewrites/graph/graph.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Whether the statement makes any of these, or its launches what statements before were to make (Plan::also_makes).
bool makes_any(const seg::Stm& s, const seg::NameSet& names, const PlannedProgram& planned);

// Moves statement number `from`, with what it needs of those between, up to behind statement number `to`. `late`: statements up to there that
// only come to be carried out with it. Yields where it stands then; none, and nothing has changed, where what it needs needs them, or where
// something that moves overwrites what a statement uses that it passes.
std::optional<size_t> move_up(seg::Body& body, size_t from, size_t to, const seg::Stms& late,
                              const PlannedProgram& planned, const graph::Graph& graph);

}  // namespace heddle::lower
