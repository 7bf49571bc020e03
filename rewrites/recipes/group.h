// The kernel of a group of stages: overlapped tiles. A team of threads, a block or a warp, computes a tile of the last stage's points,
// and before, in shared memory, all that these need of the others, beyond the tile's borders, too.
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
//       the same where b_tile goes on beyond the image's border, with the elements that stand there (beyond_image.h), and where what is read of a
//       and stored to c is bounded
//     }
//
// With a tile for each warp, a block has several tiles, which share nothing: a part of each shared buffer is the warp's own, and the
// barriers are the warp's.
//
//   for block in ceil(tiles / 4) (grid) for warp in 4 (warp) for lane in 32 (lane)
//     alloc b_tile: shared [4][1][66]
//     let tile = 4*block + warp   let xt = tile % ceil(w/64)   let yt = tile / ceil(w/64)
//     ... b_tile[warp][y][x - 64*xt] := ..  barrier (warp)  ..
//
// How far each stage goes beyond the tile: stencil/halos.h; inside borders: inside.h; who computes what: tile_turns.h. A stage of
// which another alone reads the element at its own point is computed there, in registers.
#pragma once

#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/fit_tile.h"

namespace heddle::lower {

// `stages`: of the group that the schedule is for, in its order. `is_stored`: which of them leave their results in memory, with the last
// one; tiles must cover them (stencil::is_covered). At the edges of tiles several blocks may store the same elements.
// `finish`: what becomes of the kernel before buffers in shared memory take each other's place.
Launch group_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                    const std::vector<bool>& is_stored, const stencil::FittedTile& schedule, NameSource& names,
                    const std::function<Launch(Launch)>& finish = nullptr);

}  // namespace heddle::lower
