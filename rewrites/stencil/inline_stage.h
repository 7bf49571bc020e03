// A pipeline without one of its stages, which is computed anew wherever it was read.
//
//   gray(y, x) = f(img(y, x))
//   edges(y, x) = gray(y, x-1) - gray(y, x+1)
//
// becomes edges, as it reads img(y, x-1) and img(y, x+1), with twice gray's operations more.
#pragma once

#include "rewrites/stencil/pipeline.h"

namespace heddle::stencil {

// For the models alone: windows and operations are right, but for what borders add. Refuses stages that others outside
// read or nobody reads, and samplings of samplings that are none.
Result<Pipeline> inline_stage(const Pipeline& p, size_t stage);

}  // namespace heddle::stencil
