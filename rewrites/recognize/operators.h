// Which operators may reduce in any order.
#pragma once

#include <optional>

#include "ir/prim/prim.h"

namespace heddle::recognize {

// The neutral element of an associative and commutative operator (of floats: up to rounding); nothing for others.
std::optional<prim::Value> neutral_element(const prim::Op& op);

}  // namespace heddle::recognize
