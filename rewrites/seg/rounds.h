// Whether it matters in which order an operation's operators are applied.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// Whether an operator of a segred or segscan computes floats that may have been rounded, or compares floats, of which some may be no numbers, so that
// associating it otherwise may yield other results.
bool rounds(const SegOp& op);

}  // namespace heddle::seg
