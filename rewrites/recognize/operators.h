// Which operators may reduce in any order, and which operands decide their result.
#pragma once

#include <optional>

#include "ir/prim/prim.h"

namespace heddle::recognize {

// The neutral element of an associative and commutative operator (of floats: up to rounding); nothing for others.
std::optional<prim::Value> neutral_element(const prim::Op& op);

// Whether the operator yields this operand whatever the other one is. Never of floats: zero times infinity is no zero.
bool is_absorbing(const prim::Op& op, const prim::Value& operand);

}  // namespace heddle::recognize
