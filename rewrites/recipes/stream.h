// The kernel of a group of stages that stream: blocks go down strips of columns, a few rows of each stage at a time, and of stages that
// others read only those rows are kept that are still needed. Here 4 rows a step:
//
//   b[y][x] := a[y][x-1] + a[y][min(x+1, w-1)]             b: rows below each other, of the thread's own column
//   c[y][x] := b[y][x] * b[min(y+2, h-1)][x]
//
//   for segment in .. (grid) for strip in ceil(w/256) (grid) for thread in 256 (block)
//     let column = 256*strip + thread
//     alloc b_rows: register [6]                            rows y..y+5
//     if .. { for row in 2 (unrolled): b_rows[row] := a[y + row][column-1] + a[y + row][column+1] } else ..     those before the steps
//     for step in rows of a segment / 4 (serial)
//       let y = first row of the segment + 4*step
//       if the step's parts of b and c are away from the image's borders {
//         for row in 4 (unrolled): b_rows[2 + row] := a[y + 2 + row][column-1] + a[y + 2 + row][column+1]
//         for row in 4 (unrolled): c[y + row][column] := b_rows[row] * b_rows[row + 2]
//       } else {
//         the same for rows and columns that exist, with what borders make of them, and with b's rows in an array, since which a point
//         reads is not known before
//       }
//       for row in 2 (unrolled): b_rows[row] := b_rows[row + 4]
//
// What other threads read lies in shared memory, in rows that take turns: rows that are a step ahead of their readers are written while
// those read others. A barrier ends the step.
#pragma once

#include "rewrites/recipes/group_parts.h"
#include "rewrites/stencil/stream.h"

namespace heddle::lower {

// `stages`: of the group that the stream is for, in its order. `is_stored`: as for tiles (group.h).
Launch stream_kernel(const std::string& name, const Stages& stages, const std::vector<bool>& is_stored,
                     const stencil::Halos& halos, const stencil::Stream& stream, NameSource& names);

}  // namespace heddle::lower
