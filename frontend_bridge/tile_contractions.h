// Contractions as the host's own block-level code: what heddle recognizes, for the host to compile.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle {

// Contractions in their tiles (seg/tile_contraction.h), each beside what it was (plan/tiled_contraction.h). In functions
// that have some, calls are inlined; all else stays as it is.
Result<seg::Program> tile_contractions(const seg::Program& program);

// Both these and groups of stages (tile_groups.h).
Result<seg::Program> tile_all(const seg::Program& program);

}  // namespace heddle
