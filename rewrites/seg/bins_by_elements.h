// Histograms of arrays whose points compute these element by element become histograms of elements.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {h : [k][d]t} = seghist(thread)(j < n) {([k], {a}, {ne}, [d], op)} : {i64, [d]t} {
//     let {bin} = bins[j] let {w} = ws[j] let {x : [d]t} = map(d, {xs}, \p -> w * p) return {returns bin, returns x} }
// becomes
//   let {points} = n * d
//   let {h : [k][d]t} = seghist(thread)(p < points) {([k][d], {a}, {ne}, , op)} : {i64, i64, t} {
//     let {j} = p / d let {at} = p % d let {bin} = bins[j] let {w} = ws[j] let {p} = xs[at] let {x} = w * p return {returns bin, returns at, returns x} }
// since a thread that makes an array needs room for it, and neighbours would find its elements far apart. Histograms of scalars beside become an operation of
// their own. Nothing where all arrays are in memory as they are, where something may fail within a map or a branch, where points do more than a few operations, which is done again for each element, or where what is
// done for an element needs an array.
std::optional<Stms> bins_by_elements(const Stm& s, NameSource& names);

// Of all in a program's host code.
Result<Program> bins_by_elements(const Program& program);

}  // namespace heddle::seg
