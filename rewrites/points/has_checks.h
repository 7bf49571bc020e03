// Whether a kernel's statements may fail, as far as their text says.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::lower {

// Whether there are asserts in them.
bool has_checks(const seg::Stms& stms);

}  // namespace heddle::lower
