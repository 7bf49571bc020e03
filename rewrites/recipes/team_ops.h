// What the threads of a block do together for a point.
#pragma once

#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::lower {

// The operations within a block, those in loops and branches too, in textual order; they live as long as the statements. Operations in these work
// for one thread and are none of them.
std::vector<const seg::SegOp*> team_ops(const seg::Stms& stms);

}  // namespace heddle::lower
