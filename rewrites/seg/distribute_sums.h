// Makes of a segmap whose points need several sums, or do something else beside, one segmap for each sum and one for
// the rest.
//
//   let {z, y} = segmap(thread)(i < n) { let s = redomap(...) let t = redomap(...) let u = s * t return {s, u} }
// becomes
//   let {z} = segmap(thread)(i < n) { let s = redomap(...) return {s} }
//   let {t} = segmap(thread)(i < n) { let t' = redomap(...) return {t'} }
//   let {y} = segmap(thread)(i < n) { let s' = z[i] let t' = t[i] let u = s' * t' return {u} }
//
// This pays where the sums are contractions, which whoever asks has to find out.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

struct DistributedSums {
  Stms sums;  // the segmaps that compute one sum each
  Stms rest;  // what is computed from these: at most one segmap, and further names of results
};

// Nothing where there is nothing to distribute, or what is done at a point is more than computing scalars. Of a result
// that is there twice the second becomes another name of the first if `may_alias`, else a copy.
std::optional<DistributedSums> distribute_sums(const Stm& s, NameSource& names, bool may_alias);

// Wherever there is something to distribute, whether it pays or not. Nothing becomes another name of a result.
Result<Program> distribute_sums(const Program& program);

}  // namespace heddle::seg
