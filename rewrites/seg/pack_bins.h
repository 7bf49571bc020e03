// Histograms of small tuples become such of words, each of which an atomic operation exchanges.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

// let {h, g} = seghist(thread)(j < n) {([k], {a, b}, {ne, nf}, \{x, y, u, v} -> {...})} : {i64, i32, f32} {
//   ...j... return {returns bin, returns p, returns q} }
//   becomes
// let {words} = segmap(thread)(i < k) { let {x} = a[i] let {y} = b[i] return {returns x | bits of y << 32} }
// let {packed} = seghist(thread)(j < n) {([k], {words}, {ne | bits of nf << 32}, \{old, new} -> {...of the parts of both...})} : {i64, i64} {
//   ...j... return {returns bin, returns p | bits of q << 32} }
// let {h, g} = segmap(thread)(i < k) { let {w} = packed[i] return {returns low half of w, returns float of the high half} }
//
// for tuples of at most 64 bits. So do single values of less than 32 bits, which a GPU exchanges together with their neighbours, but truth
// values that change at most once (updates_cheaply); where they are added, are sets of bits, or the least or greatest stays, whole words are.
// Nothing where there are none of either, or larger tuples beside them.
std::optional<Stms> pack_bins(const Stm& s, NameSource& names);

// Whether one atomic operation exchanges a whole tuple.
bool is_exchanged(const HistOp& h);

// Of all in a program's host code.
Result<Program> pack_bins(const Program& program);

}  // namespace heddle::seg
