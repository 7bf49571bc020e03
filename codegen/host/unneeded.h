// Host statements whose values nobody wants: a threshold's comparison, say, between versions of which one was chosen.
#pragma once

#include <unordered_set>

#include "rewrites/lower/lowered.h"

namespace heddle::codegen::host {

// Of the functions' statements, those that compute scalars that nothing depends on, and that cannot fail.
std::unordered_set<const seg::Stm*> unneeded_scalars(const lower::LoweredProgram& program);

}  // namespace heddle::codegen::host
