// The kernel of a group as its schedule wants it: overlapped tiles (group.h), such with a part in registers (hybrid.h), blocks that stream down
// strips (stream.h) or warps that walk down them (walk.h).
#pragma once

#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/fit_tile.h"

namespace heddle::lower {

// As group_kernel; `finish` is for overlapped tiles alone, as others do not fold. One that depends on the image's size is two kernels, of which the one
// that is not for it has no blocks.
std::vector<Launch> scheduled_kernels(const std::string& name, const std::vector<const StageCode*>& stages,
                                      const std::vector<bool>& is_stored, const stencil::FittedTile& schedule,
                                      NameSource& names, const std::function<Launch(Launch)>& finish);

}  // namespace heddle::lower
