// The kernel of a group of stages by hybrid tiles: a warp has a tile, as in group.h, of which the left part lies in shared memory and the
// right one in registers of the lanes (stencil/hybrid.h says who has what).
//
//   b[y][x] := a[y][x-1] + a[y][x+1]                tile of 64 columns, half of them in registers
//   c[y][x] := b[y][x-1] + b[y][x+1]
//
//   for block in .. (grid) for warp in 8 (warp) for lane in 32 (lane)
//     alloc b_tile: shared [8][8][34]   alloc b_lanes: register [1][8]
//     if the tile and what it needs of b are away from the image's borders {
//       for each (y, x) in (8, 34), by strips: b_tile[warp][y][x] := ..
//       let x = first + 34 + lane     let y = first + 0     b_lanes[0][0] := a[y][x-1] + a[y][x+1]     and so on for each row
//       barrier (warp)
//       for each (y, x) in (8, 32), by strips: c[y][x] := b_tile[..] + b_tile[..]
//       shuffle left = b_lanes[0][0] of lane (lane - 2) & 31
//       let before = lane < 2 ? b_tile[warp][0][34 + lane - 2] : left
//       c[y][x] := before + b_lanes[0][0]              and so on for each row
//     } else {
//       for piece in 2: what group.h does at borders, for 32 columns of the tile
//     }
//
// From the second turn on a lane that reads beyond lane 0 wants what the other one kept in the turn before; that one knows, and hands out
// the one or the other, so that one shuffle suffices for both.
#pragma once

#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/fit_tile.h"

namespace heddle::lower {

// As group_kernel; `schedule` has a hybrid tile.
Launch hybrid_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                     const std::vector<bool>& is_stored, const stencil::FittedTile& schedule, NameSource& names);

}  // namespace heddle::lower
