// Histograms whose operators choose between tuples become such of the tuples' numbers.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

// Whether an operator returns one of its two operands, whatever they are.
bool chooses(const Lambda& op);

// let {h, g} = seghist(thread)(j < n) {([k], {a, b}, {ne, nf}, \{x, y, u, v} -> if x < u then {u, v} else {x, y})} : {i64, i64, f64} {
//   ...j... return {returns bin, returns p, returns q} }
//   becomes
// let {bins, ps, qs} = segmap(thread)(j < n) { ...j... return {returns bin, returns p, returns q} }
// let {nobody} = replicate([k], -1)
// let {chosen} = seghist(thread)(j < n) {([k], {nobody}, {-1}, \{i, j} ->
//     if i < 0 then j else if j < 0 then i else { let {x} = ps[i] let {u} = ps[j] in if x < u then j else i })} : {i64, i64} {
//   let {bin} = bins[j] return {returns bin, returns j} }
// let {h, g} = segmap(thread)(i < k) { let {j} = chosen[i] return {a[i], b[i] if j < 0, else the operator of them and ps[j], qs[j]} }
//
// but for bins and parts of tuples that are a few operations on an element, which are computed again where they are needed instead of being stored,
// so that a tuple of any size is exchanged as one word. Nothing for other operators, and for histograms of several segments.
std::optional<Stms> choose_elements(const Stm& s, NameSource& names);

// Of all in a program's host code.
Result<Program> choose_elements(const Program& program);

}  // namespace heddle::seg
