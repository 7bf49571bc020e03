// Makes several histograms of one whose bins are dear to update, and reduces them.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

// Bytes of bins that a block of threads has in its fastest memory, beside others on the same multiprocessor; and of bins that stay in the cache of
// a large device while all elements go by.
inline constexpr int64_t kRoomForBins = 40 * 1024;
inline constexpr int64_t kRoomInCache = 20 * 1024 * 1024;

//   let {h : [m][k]t} = seghist(thread)(i < m, j < n) {([k], {dest}, {ne}, op)} : {i64, t} { ...i...j... return {returns bin, returns x} }
// becomes, with c chunks of l elements each, of which no more are made than the bins are worth, and where blocks do not keep them to themselves no
// more than the cache holds,
//   let {empty : [m][c][k]t} = replicate([m][c][k], ne)
//   let {part : [m][c][k]t} = seghist(thread)(i < m, s < c, e < l) {([k], {empty}, {ne}, op)} : {i64, t} {
//     let {j} = s * l + e
//     let {bin, x} = if j < n then { ...i...j... } else { {-1, ne} }
//     return {returns bin, returns x} }
//   let {sum : [m][k]t} = segred(thread)(i < m, b < k, s < c) ({op, {ne}}) : {t} { return {returns part[i, s, b]} }
//   let {h : [m][k]t} = segmap(thread)(i < m, b < k) : {t} { return {returns op(dest[i, b], sum[i, b])} }
// The operator of a histogram may be applied in any order. Nothing where blocks can share bins, since memory does it by itself or the
// operator chooses one of two values, so that most elements leave a bin as it is; and where an operator is one of arrays.
std::optional<Stms> split_histogram(const Stm& histogram, NameSource& names);

// Whether threads seldom wait for each other at a bin: memory does it by itself, or most elements leave a bin as it is.
bool updates_cheaply(const HistOp& h);

// Whether memory does it by itself, one element at a time.
bool is_done_by_memory(const HistOp& h);

// Whether a block's shared memory does it by itself, which adds no floats and nothing of 64 bits.
bool is_done_by_memory_of_block(const HistOp& h);

// Whether threads seldom wait for each other at a bin of a block.
bool updates_cheaply_in_block(const HistOp& h);

// Of all in a program's host code.
Result<Program> split_histogram(const Program& program);

}  // namespace heddle::seg
