// Which statements change arrays that are there before.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// Whether something in it, or in what is nested in it, may change elements of an array that is there before.
bool updates_any(const Stm& s);

}  // namespace heddle::seg
