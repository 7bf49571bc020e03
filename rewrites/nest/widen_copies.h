// Copies neighbouring elements to shared memory at once.
#pragma once

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

// for piece in ceil(Y * (X / W * W) / T) {
//   let at = piece * T + t;
//   if at < Y * (X / W * W) {
//     let y = y0 + at / (X / W * W); let x = W * x0 + at % (X / W * W);
//     copy 1 elements tile[s][at / (X / W * W)][at % (X / W * W)] := a[y][x] if x < n;
//   }
// }
//   becomes, for a width of W,
// if n % W == 0 {
//   for piece in ceil(Y * (X / W) / T) {
//     let at = piece * T + t;
//     if at < Y * (X / W) {
//       let y = y0 + at / (X / W); let x = W * x0 + at % (X / W) * W;
//       copy W elements tile[s][at / (X / W)][at % (X / W) * W] := a[y][x] if x < n;
//     }
//   }
// } else { as before }
// wherever the threads copy single elements to the tile like that.
//
// Legal where the width divides the tile's rows (see stage_to_shared), each row's first place in the source, and how
// far rows of either are apart; where the elements lie side by side in both; and where all of them exist or none does.
// Only 4, 8 and 16 bytes are copied at once, or single elements: a width that is named must be given such a value.
Result<Rewritten> widen_copies(const Kernel& kernel, const Name& tile, const Expr& width, NameSource& names);

}  // namespace heddle::nest
