// Which operators may reduce in any order, and which operands decide their result.
#pragma once

#include <optional>

#include "ir/prim/prim.h"

namespace heddle::prim {

// The neutral element of an associative and commutative operator (of floats: up to rounding); nothing for others.
std::optional<Value> neutral_element(const Op& op);

// Whether the operator yields this operand whatever the other one is. Never of floats: zero times infinity is no zero.
bool is_absorbing(const Op& op, const Value& operand);

}  // namespace heddle::prim
