// Histograms of tuples whose parts have nothing to do with each other become histograms of each part.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// let {h, g} = seghist(thread)(j < n) {([k], {a, b}, {ne, nf}, \{x, y, u, v} -> {op(x, u), oq(y, v)})} : {i64, t, s} {
//   ...j... return {returns bin, returns p, returns q} }
//   becomes
// let {h, g} = seghist(thread)(j < n) {([k], {a}, {ne}, \{x, u} -> {op(x, u)}), ([k], {b}, {nf}, \{y, v} -> {oq(y, v)})} :
//   {i64, i64, t, s} { ...j... return {returns bin, returns bin, returns p, returns q} }
// so that an atomic operation does for each what a tuple would need a lock for. Parts may be tuples themselves, where an atomic operation exchanges them
// (pack_bins.h) or the number of the element that is chosen (choose_elements.h); one may be left that needs a lock.
Result<Program> separate_bins(const Program& program);

}  // namespace heddle::seg
