// What a scan has to know of the elements before one.
#pragma once

#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// Of the values that a segscan's operators combine, those of what comes before an element on which these of it depend, and which
// themselves.
//
//   op (a, b) (x, y) = (a + x, max b (a * y))    wanted a: a; wanted b: both
std::vector<bool> needed_before(const SegOp& op, std::vector<bool> wanted);

}  // namespace heddle::seg
