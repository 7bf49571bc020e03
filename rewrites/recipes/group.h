// The kernel of a group of stages: overlapped tiles. A block of threads computes a tile of the last stage's points, and before, in
// shared memory, all that these need of the others, beyond the tile's borders, too.
//
//   b[y][x] := a[y][x-1] + a[y][min(x+1, w-1)]               tile of 64 points
//   c[y][x] := b[y][x] * b[y][x+2]
//
//   for yt in h (grid) for xt in ceil(w/64) (grid) for thread in 256 (block)
//     alloc b_tile: shared [1][66]
//     if the tile's part of b is at least 1 away from the image's borders, and that of c within it {
//       for each (y, x) in (1, 66), by strips: b_tile[y][x - 64*xt] := a[y][x-1] + a[y][x+1]
//       barrier
//       for each (y, x) in (1, 64), by strips: c[y][x] := b_tile[y][x - 64*xt] * b_tile[y][x+2 - 64*xt]
//     } else {
//       the same by single points, for those that exist, and with what borders make of them
//     }
//
// How far each stage goes beyond the tile: stencil/halos.h; inside borders: stage.h; who computes what: tile_turns.h. A stage of
// which another alone reads the element at its own point is computed there, in registers.
#pragma once

#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::lower {

// Threads of a block.
constexpr int64_t kGroupThreads = 256;

// `stages`: of the group that the halos are for, in its order. `is_stored`: which of them leave their results in memory, with the last
// one; tiles must cover them (stencil::is_covered). At the edges of tiles several blocks may store the same elements.
Launch group_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                    const std::vector<bool>& is_stored, const stencil::Halos& halos, const stencil::Tile& tile,
                    NameSource& names);

}  // namespace heddle::lower
