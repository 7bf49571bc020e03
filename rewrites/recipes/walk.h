// The kernel of a group of stages whose warps walk down strips (stencil/walk.h): a lane computes several columns beside each other, a row of
// each stage after the other, and keeps rows in registers.
//
//   b[y][x] := a[y-1][x] + a[y][max(x-1, 0)]                4 columns a lane, 3 rows written out
//   c[y][x] := b[y-1][x] + b[y+1][x]
//
//   for block in .. (grid)
//     alloc a_slots: shared [2][4][128]                                      of two warps, four rows
//     for warp in 2 (warp) for lane in 32 (lane)
//       let strip = ..  let segment = ..  let column = first column of the strip + 4*lane
//       alloc a_rows: register [2][4]   alloc b_rows: register [3][4]        zeros at first
//       three rows of a are copied (async) to a_slots
//       for turn in rows of a segment and before it / 3 (serial)
//         if the rows and the strip are away from the image's borders {
//           three times, with row one more {
//             a_slots[warp][..][4*lane..4*lane+3] := a[row + 4][column..column+3] (async)         at once, where rows are aligned
//             wait for all but the last three
//             a_rows[1][0..3] := a_slots[warp][..][4*lane..4*lane+3]         of row + 1
//             shuffle left = a_rows[1][3] of lane - 1
//             b_rows[2][0] := a_rows[0][0] + left    b_rows[2][1] := a_rows[0][1] + a_rows[1][0]    and so on
//             c[row][column..column+3] := ..                                 of the segment's rows and the strip's columns
//             a_rows[0] := a_rows[1] and so on, which is done by names, not by moves
//           }
//         } else {
//           the same without branches, with the nearest points in place of those that do not exist; where borders decide what is read, it is
//           chosen among what may be
//         }
//
// Where no point looks where borders are, there is one code for all, and only stores ask which points exist.
//
// Caches are to keep what is copied, since the strips beside read some of it, too, and segments the rows before them.
//
// Before a segment's first row, and beside a strip, lanes compute what nobody needs, from rows that are not there yet; so no point's code may fail,
// or read where values say (plan/only_where_needed.h).
#pragma once

#include "rewrites/recipes/group_parts.h"
#include "rewrites/stencil/walk.h"

namespace heddle::lower {

// `stages`: of the group that the walk is for, in its order. `is_stored`: as for tiles (group.h). `holds`: over the last stage's extents, where there
// are blocks at all.
Launch walk_kernel(const std::string& name, const Stages& stages, const std::vector<bool>& is_stored,
                   const stencil::Walk& walk, NameSource& names, const nest::Expr& holds);

}  // namespace heddle::lower
