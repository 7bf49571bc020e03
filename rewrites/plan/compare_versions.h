// What decides between the host's versions of an operation beside its thresholds, once all of them are planned.
#pragma once

#include <optional>

#include "rewrites/plan/planned_program.h"
#include "rewrites/recipes/reduction.h"
#include "rewrites/seg/builder.h"

namespace heddle::lower {

using Plans = decltype(PlannedProgram::plans);

// What is known only within a body: what its statements bind, and its loops.
seg::NameSet bound_within(const seg::Body& body);

// Whether all that a body launches is contractions, of small windows too, and what is done to their results.
bool is_contraction(const Plans& plans, const seg::Body& body);

// Whether rows that are read once are summed up by the contractions of one body, and by blocks of threads in the other; columns, too, where their
// sizes follow from what is `changing` from round to round of a loop, since most of them then have no tiled kernel.
bool is_better_reduced(const Plans& plans, const seg::NameSet& changing, const seg::Body& contractions,
                       const seg::Body& other);

// Whether blocks of threads read again and again what lies far apart for neighbours among them, as those do that each go through
// a column of an image, and a few kernels of the other version do not: what blocks keep to themselves between their steps does not make up for that.
bool reads_columns_by_blocks(const Plans& plans, const seg::Body& by_blocks, const seg::Body& other);

// Which rows blocks of threads go through together in the first version of `other`, where threads that go through one each, in the other body, find
// their elements far apart from each other's: lines of all threads do not stay in a cache, so that blocks are faster from some length on, however many
// rows there are.
std::optional<LongSegments> rows_for_blocks(const Plans& plans, const seg::Body& by_threads, const seg::Body& other);

// How many steps each point takes of a contraction whose reduction cannot be split among blocks, as those of
//   result[i] = sum over k < n of a[k] * a[k + i]
// cannot: factors, host scalars that are known before the body. None where it can be split, and of windows of several dimensions, which are small.
std::vector<seg::SubExp> unsplit_steps(const Plans& plans, const seg::Body& contraction);

// ---- What is asked beside a version's own condition; the statements that compute it are `b`'s. ----

// Whether segments are shorter, too.
seg::SubExp and_shorter(const seg::SubExp& condition, const LongSegments& segments, seg::Builder& b);

// Whether the condition holds, or there are few steps.
seg::SubExp or_few(const seg::SubExp& condition, const std::vector<seg::SubExp>& steps, seg::Builder& b);

// Whether blocks have room for their arrays in a device's fastest memory, too, as the host's compiler asks, do little of what contractions of the
// other version would, and are not few with much to do at a time for each: as far as that is known before both.
seg::SubExp and_suits_blocks(seg::SubExp condition, const Plans& plans, const seg::Body& by_blocks,
                             const seg::Body& other, seg::Builder& b);

}  // namespace heddle::lower
