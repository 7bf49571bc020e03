// What decides between the host's versions of an operation beside its thresholds, once all of them are planned.
#pragma once

#include <optional>

#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

using Plans = decltype(PlannedProgram::plans);

// What is known only within a body: what its statements bind, and its loops.
seg::NameSet bound_within(const seg::Body& body);

// Whether all that a body launches is contractions, of small windows too, and what is done to their results.
bool is_contraction(const Plans& plans, const seg::Body& body);

// Whether rows that are read once are summed up by the contractions of one body, and by blocks of threads in the other.
bool is_better_reduced(const Plans& plans, const seg::Body& contractions, const seg::Body& other);

// How many steps each point takes of a contraction whose reduction cannot be split among blocks, as those of
//   result[i] = sum over k < n of a[k] * a[k + i]
// cannot: a host scalar that is known before the body. None where it can be split, and of windows of several dimensions, which are small.
std::optional<seg::SubExp> unsplit_steps(const Plans& plans, const seg::Body& contraction);

// How many steps all points together take of contractions in one body that each take many, if the other body has blocks of threads do all it does:
// a host scalar that is known before both.
std::optional<nest::Expr> contracted_steps(const Plans& plans, const seg::Body& by_blocks, const seg::Body& other);

// How much memory of their own the blocks of a version need, if only sizes tell: a host scalar that is known before the body, in bytes.
std::optional<nest::Expr> bytes_of_blocks(const Plans& plans, const seg::Body& body);

}  // namespace heddle::lower
