// Expressions over the constants of a kernel as C constant expressions, which may not call functions.
#pragma once

#include <string>

#include "ir/nest/nest.h"

namespace heddle::codegen {

// Of i64 values that are not negative: +, -, *, quotients and remainders, minimum and maximum. Throws std::logic_error
// for anything else.
std::string constant_text(const nest::Expr& e);

}  // namespace heddle::codegen
