#include "ir/prim/division.h"

namespace heddle::prim {

std::optional<Division> division(const Op& op) {
  switch (op.family) {
    case Family::SDiv:
    case Family::SDivSafe:
      return Division{Rounding::Down, false, true};
    case Family::SDivUp:
    case Family::SDivUpSafe:
      return Division{Rounding::Up, false, true};
    case Family::SQuot:
    case Family::SQuotSafe:
      return Division{Rounding::ToZero, false, true};
    case Family::SMod:
    case Family::SModSafe:
      return Division{Rounding::Down, true, true};
    case Family::SRem:
    case Family::SRemSafe:
      return Division{Rounding::ToZero, true, true};
    case Family::UDiv:
    case Family::UDivSafe:
      return Division{Rounding::Down, false, false};
    case Family::UDivUp:
    case Family::UDivUpSafe:
      return Division{Rounding::Up, false, false};
    case Family::UMod:
    case Family::UModSafe:
      return Division{Rounding::Down, true, false};
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::prim
