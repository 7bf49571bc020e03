// Arrays that no plan reads, though they were made to be read.
#pragma once

#include "ir/seg/traverse.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::lower {

// Takes away the statements of a host body that make `candidates`, as far as neither other statements nor plans read them, and
// views of them.
void drop_unread(seg::Body& body, const PlannedProgram& planned, const seg::NameSet& candidates);

}  // namespace heddle::lower
