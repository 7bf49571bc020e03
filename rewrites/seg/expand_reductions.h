// Expresses segmented reductions, scans and histograms by segmaps, so that one recipe compiles all.
//
//   segred(thread)(i < m, j < n) ({op, {ne}, , }) : {t} { ...j... return {returns x} }
// becomes, with t1 and t2 chosen so that the device is full,
//   segmap(thread)(i < m, k < t1) { redomap(number of j = k, k+t1, ... below n, \j -> ...j... {x}, {op, {ne}}) }
//   segmap(thread)(i < m, k < t2) { the same over the first partial results }
//   segmap(thread)(i < m)         { the same over the second }
// An operator that is not commutative gets contiguous chunks instead.
//
// A segscan becomes per-chunk reductions, a scan of their results (the same again, then sequentially), and a pass that
// starts each chunk from its prefix. A seghist becomes with_acc around a segmap of update_acc.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// How many threads the levels of a reduction or scan should have in all: the first fills a large device, the second is
// what one thread per segment then finishes quickly. Both are positive.
struct ReductionLevels {
  int64_t first = 131072;
  int64_t second = 256;
};

Result<Program> expand_reductions(const Program& program, const ReductionLevels& levels);
Result<Program> expand_reductions(const Program& program);

// The same for histograms only, and for reductions and scans of arrays. Those of scalars, in which blocks of threads can
// work together, stay. Reductions then have no results besides and at least one dimension of segments:
//   let {s : t, y : [n]u} = segred(thread)(j < n) ({op, {ne}, , }) : {t, u} { ...j... return {returns x, returns z} }
// becomes
//   let {y : [n]u} = segmap(thread)(j < n) : {u} { ...j... return {returns z} }
//   let {r : [1]t} = segred(thread)(i < 1, j < n) ({op, {ne}, , }) : {t} { ...j... return {returns x} }
//   let {s : t} = r[0]
Result<Program> expand_scans(const Program& program);

// What takes a reduction's place: see expand_reductions.
Stms expand_reduction(const Stm& reduction, NameSource& names);

}  // namespace heddle::seg
