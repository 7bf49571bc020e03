// Makes of several histograms of the same points one operation for each that is of large tuples, and one for all others.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {h, f, g} = seghist(thread)(j < n) {([k], {a, b}, {ne, nf}, op), ([k], {c}, {ng}, oq)} : {i64, i64, t, u, v} {
//     ...j... return {returns bin, returns bin, returns x, returns y, returns z} }
// becomes
//   let {h, f} = seghist(thread)(j < n) {([k], {a, b}, {ne, nf}, op)} : {i64, t, u} { ...j... return {returns bin, returns x, returns y} }
//   let {g} = seghist(thread)(j < n) {([k], {c}, {ng}, oq)} : {i64, v} { ...j... return {returns bin, returns z} }
// since what is done for such tuples (choose_elements.h) is done for one histogram, and what is done for others (pack_bins.h) not beside them. Nothing where points do
// more than a few operations on elements of arrays, which each operation does again.
std::optional<Stms> histograms_apart(const Stm& s, NameSource& names);

// Of all in a program's host code.
Result<Program> histograms_apart(const Program& program);

}  // namespace heddle::seg
