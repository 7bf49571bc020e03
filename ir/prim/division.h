// Which operators divide integers, and how they round.
#pragma once

#include <optional>

#include "ir/prim/prim.h"

namespace heddle::prim {

enum class Rounding { Down, ToZero, Up };

struct Division {
  Rounding rounding;
  bool is_remainder;
  bool is_signed;
};

std::optional<Division> division(const Op& op);

}  // namespace heddle::prim
