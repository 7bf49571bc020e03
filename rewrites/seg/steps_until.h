// Several steps of a loop in one, of which each decides whether there is another, and the last ones one by one.
//
//   let {c, r} = loop {more, a} = {go, x} while more do { let {b, m} = f(a) in {m, b} }
// becomes, for two steps at a time,
//   let {n, d, s} = loop {on, more, a} = {go, go, x} while on do {
//     let {b1, m1} = f(a)  let {b2, m2} = f(b1)
//     let {m, b} = if m1 then {m2, b2} else {more, a}      where the loop ends within the round it is as if there had been none
//     let next = m1 && m2 in {next, m, b}
//   }
//   let {c, r} = loop {more, a} = {d, s} while more do { let {b, m} = f(a) in {m, b} }
//
// With a condition there are rounds only where it holds: `on` begins as go && condition.
//
// A round computes steps that may be too many, so that no step may fail or never end: whoever asks for it knows that. What follows from
// reductions, which conditions do, comes behind all that does not, so that the steps of a round can be one kernel (plan/time_tiles.h).
#pragma once

#include "rewrites/seg/strip_mine.h"

namespace heddle::seg {

// Why it cannot be written so, as a clause; but for what is said above.
std::optional<std::string> why_not_several_until(const Loop& loop);

// Of a statement that is such a loop. The last loop has the names of the original. `only_if`: a bool.
StripMined several_until(const Stm& stm, int64_t steps, NameSource& names, const std::optional<SubExp>& only_if = {});

// All such loops of a program's host code whose steps cannot fail, by three steps.
Result<Program> several_until(const Program& program);

}  // namespace heddle::seg
