// Whether a kernel's statements may fail, as far as their text says.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// Whether there are asserts in them.
bool has_checks(const Stms& stms);

}  // namespace heddle::seg
