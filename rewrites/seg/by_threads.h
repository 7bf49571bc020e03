// Expresses a segmented reduction, scan or histogram by segmaps, in which each thread does a part of a segment by itself.
//
//   segred(thread)(i < m, j < n) ({op, {ne}, , }) : {t} { ...j... return {returns x} }
// becomes, with t1 and t2 chosen so that the device is full,
//   segmap(thread)(i < m, k < t1) { redomap(number of j = k, k+t1, ... below n, \j -> ...j... {x}, {op, {ne}}) }
//   segmap(thread)(i < m, k < t2) { the same over the first partial results }
//   segmap(thread)(i < m)         { the same over the second }
// Of rows, where an operator is a map over them, blocks do what is left, column by column, and what is reduced beside them likewise:
//   segmap(thread)(i < m, k < t1) { redomap(...) : {[d]t} }
//   segred(thread)(i < m, c < d, k < t1) ({op, {ne}, , }) : {t} { let {x} = partial[i, k, c] return {returns x} }
//
// An operator that is not commutative gets contiguous chunks instead, and so do all where the levels say so.
//
// A segscan becomes per-chunk reductions, a scan of their results (the same again, then sequentially), and a pass that
// starts each chunk from its prefix. A seghist becomes with_acc around a segmap of update_acc. On a processor it becomes, where there are
// several elements for each bin of a chunk, with t chunks
//   segmap(thread)(i < m, k < t) { hist(number of j of the chunk, ...) }
//   segmap(thread)(i < m, b < bins) { op(dest[i, b], redomap(k < t, \ k -> the k-th chunk's bin b, {op, {ne}})) }
// and reductions work on several parts of a chunk at a time (by_threads_lanes.cpp).
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/seg/traverse.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

// How many threads the levels of a reduction or scan should have in all: the first fills a large device, the second is
// what one thread per segment then finishes quickly; without a second, the first is that.
struct ThreadLevels {
  int64_t first = 131072;
  std::optional<int64_t> second = 256;
  // Each thread takes elements that lie side by side, instead of those that its neighbours leave.
  bool side_by_side = false;
};
// For a processor: what keeps its cores busy, and its caches and prefetchers as well.
inline constexpr ThreadLevels kProcessorLevels = {256, std::nullopt, true};

// What takes the place of a thread-level segred, segscan or seghist. Throws Refused. `unread`: if given, names that nobody reads: what
// a scan computes for them is not stored, nor bound.
Stms by_threads(const Stm& folded, NameSource& names, const ThreadLevels& levels = {}, const NameSet* unread = nullptr);

// Of all in a program's host code.
Result<Program> by_threads(const Program& program, const ThreadLevels& levels);
Result<Program> by_threads(const Program& program);

}  // namespace heddle::seg
