// Programs nest as deeply as people or compilers write them, and nearly everything here follows the nesting by
// recursion.
#pragma once

#include <functional>

namespace heddle::cli {

// The result of `f`, which runs on a stack of its own that suffices for all that the reader lets pass; on the caller's,
// for which the reader lets less pass, where the system gives none so large. `f` must not throw.
int on_large_stack(const std::function<int()>& f);

}  // namespace heddle::cli
