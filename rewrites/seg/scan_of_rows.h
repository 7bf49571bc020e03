// Scans of rows, element by element, as a processor does them.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/names.h"
#include "rewrites/seg/by_threads.h"

namespace heddle::seg {

// Where rows are long, a thread has neighbouring columns, and goes down the rows with all of them:
//
//   let {s : [n][d]t} = segscan(thread)(j < n) ({op, {ne}, [d], }) : {[d]t} { ...j... return {returns row} }
// becomes
//   let {s} = if 128 <= d then {
//     let {rows : [n][d]t} = segmap(thread)(j < n) : {[d]t} { ...j... return {returns row} }
//     segscan(thread)(j < n) ({op, {ne}, [d], }) : {[d]t} { let {row} = rows[j] return {returns row} }
//   } else { ...by_threads of it... }
//
// of which the planner gives the second to a recipe (scan_of_rows in recipes). Nothing where the operators are no such, or points return more.
std::optional<Stms> scan_of_rows(const Stm& s, NameSource& names, const ThreadLevels& levels, const NameSet* unread);

// From so many elements of a row on.
inline constexpr int64_t kLongRow = 128;

// A scan of rows that are in memory, its points being elements of theirs, in the last dimension: not as a segscan is read, where that one is the scanned
// one. None if the rows are computed.
std::optional<SegOp> elements_of_rows(const SegOp& op, NameSource& names);

}  // namespace heddle::seg
