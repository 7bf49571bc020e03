// Which of the host's arrays may be other names of the same memory.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/seg/traverse.h"

namespace heddle::seg {

// The names of arrays that host code overwrites, or hands on to where that is not seen: as results, through loops and branches, to functions; and of those
// they are windows of. Whoever is not among them is only read.
NameSet changed_or_handed_on(const Program& program);

}  // namespace heddle::seg
