// Points beside each other in one thread, where elements are half as wide as a register: a thread of a strip (strips.h) computes as many
// columns as fill four bytes, loads what they read that many elements at a time, and stores them at once.
//
//   b[y][x] := a[y][x-1] + a[y][x] + a[y][x+1]          of u16, in the columns x0 and x0 + 1; x0 is even
//
//   alloc near: register u16 [4]
//   for part in 2 (unrolled) { for e in 2 (vector) { near[part*2 + e] := a[y][x0 - 2 + part*2 + e] } }
//   for column in 2 (unrolled) { b'[column] := near[column + 1] + near[column + 2] + near[column + 3] }
//   for column in 2 (vector) { b[y][x0 + column] := b'[column] }
#pragma once

#include "rewrites/recipes/strip_code.h"

namespace heddle::lower {

// Dimensions of a stage's points, and how many of these a thread has below each other.
struct StripShape {
  size_t y = 0, x = 0;
  int64_t rows = 1;
};

// Whether a thread may have several columns, whatever is read.
bool may_have_columns(const StageCode& stage, const StripShape& strip);

// How many columns a thread has: one where elements are too wide, or no array is read in windows that lie along its rows.
int64_t columns_of(const StageCode& stage, const StripShape& strip);

// What is read so of a strip of several columns that begins at the point `first`.
struct WideReads {
  nest::Block loads;      // to registers
  Places places;          // where they are then
  nest::Expr are_inside;  // whether all elements that are loaded exist
};
WideReads wide_reads(const StageCode& stage, const StripShape& strip, int64_t columns,
                     const std::vector<nest::Expr>& first, NameSource& names);

// Whether rows of the arrays that are read so, and of the results, begin where so many elements may be moved at once. Gives the kernel of
// `launch` the scalars that tell.
nest::Expr rows_are_aligned(const StageCode& stage, const StripShape& strip, int64_t columns, Launch& launch,
                            NameSource& names);

}  // namespace heddle::lower
