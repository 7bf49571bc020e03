#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "ir/prim/prim.h"

namespace heddle::prim {

namespace {

constexpr std::array<std::string_view, 9> kCTypes = {"int8_t", "int16_t", "int32_t", "int64_t", "hd_f16",
                                                     "float",  "double",  "bool",    "bool"};

// C has no negative literals, hence none for the least integer either.
std::string int_literal(int64_t value, std::string_view suffix, int64_t least) {
  if (value == least) return fmt::format("(-{}{} - 1)", -(value + 1), suffix);
  return value < 0 ? fmt::format("(-{}{})", -value, suffix) : fmt::format("{}{}", value, suffix);
}

std::string float_literal(const Value& value) {
  bool single = value.type == Type::F32;
  if (!std::isfinite(value.f)) {
    // There is no header that defines INFINITY or NAN where NVRTC compiles.
    Type bits = single ? Type::I32 : Type::I64;
    int64_t pattern = Value::of_int(bits, static_cast<int64_t>(float_bits(value))).i;
    return fmt::format("hd_from_bits{}({})", single ? 32 : 64, c_literal(Value::of_int(bits, pattern)));
  }
  double magnitude = std::fabs(value.f);
  std::string text = single ? fmt::format("{}", static_cast<float>(magnitude)) : fmt::format("{}", magnitude);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (single) text += "f";
  return std::signbit(value.f) ? "(-" + text + ")" : text;
}

}  // namespace

std::string_view c_type(Type type) { return kCTypes[static_cast<size_t>(type)]; }

std::string c_function(const Op& op) { return "hd_" + name(op); }

std::string c_function(const Function& function) { return "hd_" + function.name; }

std::string c_literal(const Value& value) {
  switch (value.type) {
    case Type::I8:
      return fmt::format("((int8_t){})", value.i);
    case Type::I16:
      return fmt::format("((int16_t){})", value.i);
    case Type::I32:
      return int_literal(value.i, "", std::numeric_limits<int32_t>::min());
    case Type::I64:
      return int_literal(value.i, "LL", std::numeric_limits<int64_t>::min());
    case Type::F16:
      return fmt::format("((hd_f16)0x{:04x}u)", float_bits(value));
    case Type::F32:
    case Type::F64:
      return float_literal(value);
    case Type::Bool:
    case Type::Unit:
      return value.as_bool() ? "true" : "false";
  }
  return "";
}

std::optional<std::string_view> c_infix(const Op& op) {
  if (op.type == Type::F16) return std::nullopt;
  switch (op.family) {
    case Family::AddNw:
    case Family::FAdd:
      return "+";
    case Family::SubNw:
    case Family::FSub:
      return "-";
    case Family::MulNw:
    case Family::FMul:
      return "*";
    case Family::FDiv:
      return "/";
    case Family::And:
      return "&";
    case Family::Or:
      return "|";
    case Family::Xor:
      return "^";
    case Family::LogAnd:
      return "&&";
    case Family::LogOr:
      return "||";
    case Family::Eq:
      return "==";
    case Family::Slt:
    case Family::FLt:
      return "<";
    case Family::Sle:
    case Family::FLe:
      return "<=";
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::prim
