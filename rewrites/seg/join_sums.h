// Makes of segmaps that compute one sum at each point, all over the same points and with as many terms, one segmap that computes
// all of them, with a dimension more, that of the sums.
//
//   let {x} = segmap(thread)(i < n) { let s = redomap(k, {as, bs}, a * b, +, 0) return {s} }
//   let {y} = segmap(thread)(i < n) { let t = redomap(k, {as, cs}, a * c, +, 0) return {t} }
// becomes
//   let {both} = segmap(thread)(sum < 2, i < n) {
//     let s = redomap(k, {as, bs, as, cs}, if sum == 0 then a * b else a' * c, +, 0) return {s} }
//   let {x} = both[0, :]
//   let {y} = both[1, :]
//
// As a contraction this loads what the sums have in common once for all of them, since one thread has all sums of a point.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/names.h"

namespace heddle::seg {

// The segmap, then what names its parts. `sums` are such as distribute_sums makes; nothing where they are fewer than two, one
// needs another, or they differ in their operator or in the number of terms.
std::optional<Stms> join_sums(const Stms& sums, NameSource& names);

}  // namespace heddle::seg
