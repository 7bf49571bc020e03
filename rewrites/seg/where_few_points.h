// Histograms of fewer points than bins.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {h : [k]t} = seghist(thread)(j < n) {([k], {a}, {ne}, op)} : {i64, t} { ... }
// for which there are `others`, which go through all bins before and behind, becomes
//   let {few : bool} = slt64(n * 4, k)
//   let {h : [k]t} = if <equiv> few then { let {h1} = seghist(thread)(j < n) ... in {h1} } else { ...the others, which bind h2... in {h2} }
// or the others alone, where so many bins are known to be few.
Stms where_few_points(const Stm& histogram, const Stms& others, NameSource& names);

// Of all in a program's host code that are split into several (split_histogram.h).
Result<Program> where_few_points(const Program& program);

}  // namespace heddle::seg
