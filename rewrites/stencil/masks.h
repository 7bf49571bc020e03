// The least box around all that a stage's point reads of an image: Hipacc's mask.
#pragma once

#include "rewrites/stencil/pipeline.h"

namespace heddle::stencil {

// Its extents, one for each dimension of the image.
std::vector<int64_t> mask_of(const Stage& s, const Source& source);

int64_t taps(const std::vector<int64_t>& mask);

// Whether the box holds the reader's own point.
bool holds_own_point(const Stage& s, const Source& source);

}  // namespace heddle::stencil
