// Which scalars a tiled kernel is compiled for.
#pragma once

#include "rewrites/recipes/way.h"

namespace heddle::lower {

// The scalars that decide how windows lie. Refuses where they are not known before the kernel is.
std::vector<Name> kernel_constants(const Way& way);

// That the names in coefficients are not negative, over the host's scalars: so it is known which way operands are run
// through. Null where there are none; refuses where that does not say it.
nest::Expr steps_forwards(const Way& way);

}  // namespace heddle::lower
