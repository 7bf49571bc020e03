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

// How many elements a thread reads at a point while those beside it read far away, each step of a loop for itself; tiles of threads that stand upright count
// for as much less. What follows from elements, or of which it is not seen how it grows, may be far away.
struct ReadsApart {
  int64_t surely = 0, perhaps = 0;
};
ReadsApart reads_apart(const nest::Kernel& kernel);

}  // namespace heddle::lower
