// Several steps of a counting loop in one, in straight line, and what is left of them one by one.
//
//   let {r} = loop {a} = {x} for i < n do { let {b} = f(a, i) in {b} }
// becomes, for two steps at a time,
//   let rounds = n squot 2  let done = rounds * 2  let rest = n - done
//   let {s} = loop {c} = {x} for k < rounds do {
//     let first = k * 2
//     let i1 = first + 0  let {b1} = f(c, i1)
//     let i2 = first + 1  let {b2} = f(b1, i2) in {b2}
//   }
//   let {r} = loop {a} = {s} for j < rest do { let i = done + j  let {b} = f(a, i) in {b} }
//
// With a condition, rounds are none unless it holds: let worth = btoi c  let rounds = (n squot 2) * worth.
//
// Any loop computes the same so; it pays where the steps then become one kernel (plan/time_tiles.h).
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

struct StripMined {
  Stms counts;
  Stm rounds;
  std::optional<Stm> rest;  // none where it is known that nothing is left
};

// Why it cannot be written so, as a clause.
std::optional<std::string> why_not_strip_mined(const Loop& loop);

// The same of whatever loop of whose steps several are to be one: what does not depend on how their number is decided.
std::optional<std::string> why_not_several_at_a_time(const Loop& loop);

// Of a statement that is a loop for which there is no reason why not. The last loop has the names of the original.
// `only_if`: a bool.
StripMined strip_mine(const Stm& stm, int64_t steps, NameSource& names, const std::optional<SubExp>& only_if = {});

// All counting loops of a program's host code, by two steps.
Result<Program> strip_mine(const Program& program);

}  // namespace heddle::seg
