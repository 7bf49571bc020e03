// Whether tiles cover little beyond the points that there are, where only the run tells how many: of images with fewer rows than a
// tile most of it would be computed for nothing, which several steps in a kernel do not make up for.
//
//   8 x 512 x 512 points in tiles of 16 x 16 x 32: twice as many are computed
#pragma once

#include "rewrites/seg/builder.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::lower {

// A bool, computed by `host`: at most 4/3 of the points are computed, or so few that the launches count and not the points.
seg::SubExp wastes_little(const std::vector<seg::SubExp>& extents, const stencil::Tile& tile, seg::Builder& host);

}  // namespace heddle::lower
