// Programs nest as deeply as people or compilers write them, and nearly everything here follows the nesting by
// recursion.
#pragma once

#include <csignal>
#include <cstddef>
#include <functional>

namespace heddle {

// Runs `f`, which must not throw, on a stack of its own of so many bytes, with these signals blocked, and returns
// when it has ended. False, and nothing has run, where the system gives no such stack.
bool on_large_stack(size_t bytes, const sigset_t& blocked, const std::function<void()>& f);

}  // namespace heddle
