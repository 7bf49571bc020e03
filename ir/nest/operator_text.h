// How nest text writes operators: the one list that printer and reader follow.
#pragma once

#include <optional>
#include <string_view>

#include "ir/prim/prim.h"

namespace heddle::nest {

// Between its operands, before its operand, or as a function for all types. Operators that are written in none of these
// ways are called by the names that ir/prim gives them.
enum class Fix { Infix, Prefix, Function };

struct OperatorText {
  prim::Family family;
  Fix fix;
  std::string_view text;
};

std::optional<OperatorText> operator_text(const prim::Op& op);
// The operator on operands of this type that is written so.
std::optional<prim::Op> operator_of(Fix fix, std::string_view text, prim::Type operand);
// Whether there is one for any type.
bool is_operator(Fix fix, std::string_view text);

}  // namespace heddle::nest
