// Lowers every seg op of a program, and drops the versions of the host's incremental flattening that cannot be lowered.
//
//   let {r} = if <equiv> c then { ...segmap(thread)... } else { ...segmap(block)... }
// where the second branch is refused becomes the first branch. A program with a seg op that is refused and has no other
// version is refused with that reason.
#pragma once

#include <string>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/lower/lowered.h"

namespace heddle::lower {

// What runs the kernels: threads that work by themselves, or blocks of threads that also work together.
enum class Device { Threads, Blocks };

// Expects a program without calls of its own functions (inline_functions) and without SOACs in host code (host_soacs).
Result<LoweredProgram> lower_program(const seg::Program& program, Device device = Device::Threads);

// What nest::verify finds in the program's kernels, each sentence preceded by the kernel's name.
std::vector<std::string> verify_kernels(const LoweredProgram& lowered);

}  // namespace heddle::lower
