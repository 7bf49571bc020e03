// What operations compute that nobody asks for.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/seg/traverse.h"

namespace heddle::seg {

// The names of results of the host's parallel operations that the program uses nowhere.
NameSet unread_results(const Program& program);

}  // namespace heddle::seg
