// Fused stages of image pipelines as the host's own block-level code: what heddle decides, for the host to compile.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle {

// Groups of stages that would become one kernel, in their tiles (seg/tile_stages.h). In functions that have some, calls
// are inlined; all else stays as it is, and so do groups that cannot be written so: those with stages at other scales
// than the last one's, shifted or wrapped ones.
Result<seg::Program> tile_groups(const seg::Program& program);

}  // namespace heddle
