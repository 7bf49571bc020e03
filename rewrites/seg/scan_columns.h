// Scans of rows, element by element, become scans of columns.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

// let {s : [n][d]t} = segscan(thread)(j < n) ({op, {ne}, [d], }) : {[d]t} { ...j... return {returns row} }
//   becomes
// let {rows : [n][d]t} = segmap(thread)(j < n) : {[d]t} { ...j... return {returns row} }
// let {columns} = manifest((1, 0), rows)
// let {scanned : [d][n]t} = segscan(thread)(c < d, j < n) ({op, {ne}, , }) : {t} { let {x} = columns[j, c] return {returns x} }
// let {s} = rearrange((1, 0), scanned)
//
// so that blocks of threads scan scalars. Nothing where operators of several shapes are scanned together.
std::optional<Stms> scan_columns(const Stm& s, NameSource& names);

// The array of which a result of the points is the row of the same number; none if it is computed.
std::optional<Name> array_of_rows(const SegOp& op, size_t result);

// Of all in a program's host code.
Result<Program> scan_columns(const Program& program);

}  // namespace heddle::seg
