// Whether points that are neighbours along one index find their elements far apart, and those along another find them side by side.
#pragma once

#include <vector>

#include "ir/nest/nest.h"

namespace heddle::lower {

//   result[y][x] := img[y][x] + sums[min(x + r, w - 1)][y] - sums[max(x - r, 0)][y]
//
// reads across y: of threads that are neighbours along x each finds its elements of `sums` in a cache line of its own, of which others that are neighbours
// along y want the rest. Tiles of threads that are narrow along x and tall along y then take less of the cache's time for all, though more for what lies along x. Places
// count by how their indices grow, whatever clamps them; what follows from elements counts for neither.
bool reads_across(const nest::Block& work, const std::vector<nest::Buffer>& buffers, const Name& x, const Name& y);

}  // namespace heddle::lower
