#include "ir/prim/algebra.h"

#include <limits>

namespace heddle::prim {

namespace {

int bits(Type type) { return 8 * static_cast<int>(size_bytes(type)); }

Value lowest_int(Type type) { return Value::of_int(type, static_cast<int64_t>(uint64_t{1} << (bits(type) - 1))); }
Value highest_int(Type type) {
  return Value::of_int(type, static_cast<int64_t>((uint64_t{1} << (bits(type) - 1)) - 1));
}

}  // namespace

std::optional<Value> neutral_element(const Op& op) {
  Type type = result_type(op);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (op.family) {
    case Family::LogOr:
      return Value::of_bool(false);
    case Family::LogAnd:
      return Value::of_bool(true);
    case Family::Add:
    case Family::Or:
    case Family::Xor:
    case Family::UMax:
      return Value::of_int(type, 0);
    case Family::Mul:
      return Value::of_int(type, 1);
    case Family::And:
    case Family::UMin:
      return Value::of_int(type, -1);
    case Family::SMin:
      return highest_int(type);
    case Family::SMax:
      return lowest_int(type);
    case Family::FAdd:
      return Value::of_float(type, 0);
    case Family::FMul:
      return Value::of_float(type, 1);
    case Family::FMin:
      return Value::of_float(type, kInfinity);
    case Family::FMax:
      return Value::of_float(type, -kInfinity);
    default:
      return std::nullopt;
  }
}

bool is_absorbing(const Op& op, const Value& operand) {
  Type type = result_type(op);
  switch (op.family) {
    case Family::LogAnd:
      return operand == Value::of_bool(false);
    case Family::LogOr:
      return operand == Value::of_bool(true);
    case Family::Mul:
    case Family::MulNw:
    case Family::And:
    case Family::UMin:
      return operand == Value::of_int(type, 0);
    case Family::Or:
    case Family::UMax:
      return operand == Value::of_int(type, -1);
    case Family::SMin:
      return operand == lowest_int(type);
    case Family::SMax:
      return operand == highest_int(type);
    default:
      return false;
  }
}

}  // namespace heddle::prim
