// What passes that write plans back into a program have in common: each function is planned alone, with what it calls in its
// place, since the names of one may be those of another's statements, too, and what stays as it was stays untouched.
#pragma once

#include <functional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"
#include "rewrites/plan/planned_program.h"

namespace heddle {

// Of a program with one function: what becomes of its body, null where that stays. The names are new ones.
using TileBody =
    std::function<seg::BodyPtr(const lower::PlannedProgram& planned, const seg::Program& program, NameSource& names)>;

Result<seg::Program> tile_functions(const seg::Program& program, const TileBody& tile);

}  // namespace heddle
