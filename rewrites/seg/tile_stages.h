// Several stages of an image pipeline as one block-level segmap. Each block computes a tile of the last one's points, and
// before, in shared arrays, of each other stage as much as the tile needs: overlapped tiles, of which neighbours compute
// some points twice.
//
//   let {b} = segmap(thread) (y < h, x < w) { f(a[y, smax64(0, x-1)], a[y, x]) }
//   let {c} = segmap(thread) (v < h, u < w) { g(b[smax64(0, v-1), u], b[v, u]) }
// becomes, where b is needed one row before a tile of 32x64 points of c,
//   let {c} = segmap(block) (ty < sdiv_up64(h, 32), tx < sdiv_up64(w, 64)) {
//     let {b_tile} = segmap(inblock) (i < 33, j < 64) {
//       let y = 32*ty - 1 + i, umin h-1    let x = 64*tx + j, umin w-1
//       f(a[y, smax64(0, x-1)], a[y, x])
//     }
//     let {c_tile} = segmap(inblock) (k < 4, l < 64) {
//       let {registers} = loop {r} = {scratch(f32, 8, 1)} for m < 8 do {
//         let v = 32*ty + 8*k + m, umin h-1    let u = 64*tx + l, umin w-1
//         let p = g(b_tile[smax64(0, v-1) - (32*ty - 1), u - 64*tx], b_tile[v - (32*ty - 1), u - 64*tx])
//         in {r with [m, 0] = p}
//       }
//       return {returns (private) registers}
//     }
//     return {blkreg_tile(h / (4 * 8), w / (64 * 1)) c_tile}
//   }
// Points beyond the border are others once more, so that no stage is computed where it was not before; what a tile has beyond the
// array is not written. For what reads no tile an unsigned minimum does that, which takes points before the first for the last one.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/seg/traverse.h"
#include "ir/support/error.h"

namespace heddle::seg {

struct TiledStage {
  const Stm* stm;
  std::vector<size_t> along;  // by dimension: that of the tile; where it has none, all of the tile reads the same
  std::vector<int64_t> before, after;  // by dimension: how many points it is needed beyond a tile
  bool may_fail = true;                // some check of its points is not known to hold
};

// The statements in place of the last stage's, which have its names. `stages`: in the order of the program, of
// thread-level segmaps whose points yield scalars, the last one over the tile's dimensions. Refused is what reads an earlier
// stage by other than an element's index. `copies`: by other names that stages use for arrays, what they stand for.
Result<Stms> tile_stages(const std::vector<TiledStage>& stages, const std::vector<int64_t>& tile,
                         const Substitution& copies, NameSource& names);

}  // namespace heddle::seg
