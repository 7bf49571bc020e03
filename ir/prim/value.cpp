#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "ir/prim/prim.h"

namespace heddle::prim {

namespace {

constexpr std::array<std::string_view, 9> kTypeNames = {"i8", "i16", "i32", "i64", "f16", "f32", "f64", "bool", "unit"};
constexpr std::array<int, 9> kTypeSizes = {1, 2, 4, 8, 2, 4, 8, 1, 0};

// Halves: 10 bits of mantissa, exponents from -14 (also that of subnormals) to 15.
constexpr int kHalfMantissaBits = 10;
constexpr int kHalfLeastExponent = -14;
constexpr double kHalfLargest = 65504;

// The exponent of the unit in the last place of a half that is close to the finite, nonzero x.
int half_unit_exponent(double x) { return std::max(std::ilogb(x), kHalfLeastExponent) - kHalfMantissaBits; }

double round_to_half(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int unit = half_unit_exponent(x);
  double scaled = std::ldexp(x, -unit);
  // Rounding to even by hand keeps clear of the rounding mode in force.
  double below = std::floor(scaled);
  double rest = scaled - below;
  bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
  double rounded = std::ldexp(up ? below + 1 : below, unit);
  if (std::fabs(rounded) > kHalfLargest) rounded = std::numeric_limits<double>::infinity();
  return std::copysign(rounded, x);
}

uint64_t half_bits(double x) {
  uint64_t bits = std::bit_cast<uint64_t>(x);
  uint64_t sign = bits >> 63 << 15;
  if (std::isnan(x)) return sign | 0x7e00 | (bits >> 42 & 0x3ff);
  if (std::isinf(x)) return sign | 0x7c00;
  if (x == 0) return sign;
  int unit = half_unit_exponent(x);
  auto mantissa = static_cast<uint64_t>(std::ldexp(std::fabs(x), -unit));
  auto exponent = static_cast<uint64_t>(unit + kHalfMantissaBits - kHalfLeastExponent);
  // The leading bit of a normal number counts as 1 in the exponent field.
  return sign | ((exponent << kHalfMantissaBits) + mantissa);
}

double half_from_bits(uint64_t bits) {
  uint64_t exponent = bits >> kHalfMantissaBits & 0x1f;
  uint64_t mantissa = bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity()
                              : std::bit_cast<double>(0x7ff8000000000000 | mantissa << 42);
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(mantissa), kHalfLeastExponent - kHalfMantissaBits);
  } else {
    magnitude = std::ldexp(static_cast<double>(mantissa + 0x400),
                           static_cast<int>(exponent) - 1 + kHalfLeastExponent - kHalfMantissaBits);
  }
  return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T result{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return result;
}

// Decimal digits d1 d2 ... and the exponent e of 0.d1d2... * 10^e.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal parse_scientific(std::string_view text) {
  size_t e = text.find('e');
  Decimal result;
  for (char c : text.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent);
  ++result.exponent;
  return result;
}

template <typename T>
Decimal shortest_decimal(T magnitude) {
  constexpr int kAllDigits = 800;  // more than any double has
  std::array<char, kAllDigits + 16> buffer;
  char* end = buffer.data() + buffer.size();
  auto text = [&](std::to_chars_result written) {
    return std::string_view(buffer.data(), static_cast<size_t>(written.ptr - buffer.data()));
  };
  Decimal shortest =
      parse_scientific(text(std::to_chars(buffer.data(), end, magnitude, std::chars_format::scientific)));
  // Halfway between two candidates of equal length, Haskell rounds up where C++ rounds to even.
  auto exact = text(std::to_chars(buffer.data(), end, magnitude, std::chars_format::scientific, kAllDigits));
  std::string halfway = shortest.digits + "5";
  std::string all_digits = parse_scientific(exact).digits;
  if (all_digits.starts_with(halfway) && all_digits.find_first_not_of('0', halfway.size()) == std::string::npos) {
    std::string above = "0." + shortest.digits + "e" + std::to_string(shortest.exponent);
    ++above[shortest.digits.size() + 1];
    if (parse_number<T>(above) == magnitude) ++shortest.digits.back();
  }
  return shortest;
}

// As Haskell shows floating-point numbers.
std::string show_magnitude(Type type, double magnitude) {
  if (magnitude == 0) return "0.0";
  Decimal decimal = type == Type::F64 ? shortest_decimal(magnitude) : shortest_decimal(static_cast<float>(magnitude));
  std::string& digits = decimal.digits;
  if (magnitude >= 0.1 && magnitude < 1e7) {
    auto whole = static_cast<size_t>(decimal.exponent);
    if (whole >= digits.size()) digits.append(whole + 1 - digits.size(), '0');
    return (whole == 0 ? "0" : digits.substr(0, whole)) + "." + digits.substr(whole);
  }
  if (digits.size() == 1) digits += '0';
  return digits.substr(0, 1) + "." + digits.substr(1) + "e" + std::to_string(decimal.exponent - 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Value> parse_nonfinite(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::optional<Type> type = parse_type(text.substr(0, dot));
  std::string_view what = text.substr(dot + 1);
  if (!type || !is_float(*type)) return std::nullopt;
  if (what == "inf") {
    double infinity = std::numeric_limits<double>::infinity();
    return Value::of_float(*type, negative ? -infinity : infinity);
  }
  if (what == "nan" && !negative) return Value::of_float(*type, std::numeric_limits<double>::quiet_NaN());
  return std::nullopt;
}

}  // namespace

int size_bytes(Type type) { return kTypeSizes[static_cast<size_t>(type)]; }

std::string_view name(Type type) { return kTypeNames[static_cast<size_t>(type)]; }

std::optional<Type> parse_type(std::string_view text) {
  for (size_t i = 0; i < kTypeNames.size(); ++i) {
    if (kTypeNames[i] == text) return static_cast<Type>(i);
  }
  return std::nullopt;
}

uint64_t as_unsigned(const Value& value) {
  int unused_bits = 64 - 8 * size_bytes(value.type);
  return static_cast<uint64_t>(value.i) << unused_bits >> unused_bits;
}

Value Value::of_int(Type type, int64_t value) {
  int unused_bits = 64 - 8 * size_bytes(type);
  return {type, static_cast<int64_t>(static_cast<uint64_t>(value) << unused_bits) >> unused_bits, 0};
}

Value Value::of_float(Type type, double value) {
  switch (type) {
    case Type::F16:
      return {type, 0, round_to_half(value)};
    case Type::F32:
      return {type, 0, static_cast<double>(static_cast<float>(value))};
    default:
      return {type, 0, value};
  }
}

Value Value::of_bool(bool value) { return {Type::Bool, value ? 1 : 0, 0}; }

Value Value::unit() { return {}; }

bool operator==(const Value& a, const Value& b) {
  if (a.type != b.type || a.i != b.i) return false;
  if (std::isnan(a.f) || std::isnan(b.f)) return std::isnan(a.f) && std::isnan(b.f);
  return std::bit_cast<uint64_t>(a.f) == std::bit_cast<uint64_t>(b.f);
}

namespace {

Value small_number(Type type, int number) {
  if (is_int(type)) return Value::of_int(type, number);
  if (is_float(type)) return Value::of_float(type, number);
  return type == Type::Bool ? Value::of_bool(number != 0) : Value::unit();
}

}  // namespace

Value zero(Type type) { return small_number(type, 0); }

Value one(Type type) { return small_number(type, 1); }

std::string to_text(const Value& value) {
  if (value.type == Type::Unit) return "()";
  if (value.type == Type::Bool) return value.as_bool() ? "true" : "false";
  std::string type(name(value.type));
  if (is_int(value.type)) return std::to_string(value.i) + type;
  if (std::isnan(value.f)) return type + ".nan";
  std::string sign = std::signbit(value.f) ? "-" : "";
  if (std::isinf(value.f)) return sign + type + ".inf";
  return sign + show_magnitude(value.type, std::fabs(value.f)) + type;
}

std::optional<Value> parse_value(std::string_view text) {
  if (text == "()") return Value::unit();
  if (text == "true" || text == "false") return Value::of_bool(text == "true");
  if (text.empty() || !is_digit(text[text[0] == '-' && text.size() > 1 ? 1 : 0])) return parse_nonfinite(text);
  size_t suffix = text.find_first_of("if");
  if (suffix == std::string_view::npos) return std::nullopt;
  std::optional<Type> type = parse_type(text.substr(suffix));
  if (!type) return std::nullopt;
  std::string_view number = text.substr(0, suffix);
  if (is_int(*type)) {
    std::optional<int64_t> parsed = parse_number<int64_t>(number);
    if (!parsed || Value::of_int(*type, *parsed).i != *parsed) return std::nullopt;
    return Value::of_int(*type, *parsed);
  }
  if (*type == Type::F32) {
    std::optional<float> parsed = parse_number<float>(number);
    if (!parsed) return std::nullopt;
    return Value::f32(*parsed);
  }
  std::optional<double> parsed = parse_number<double>(number);
  if (!parsed) return std::nullopt;
  return Value::of_float(*type, *parsed);
}

uint64_t float_bits(const Value& value) {
  switch (value.type) {
    case Type::F16:
      return half_bits(value.f);
    case Type::F32:
      return std::bit_cast<uint32_t>(static_cast<float>(value.f));
    default:
      return std::bit_cast<uint64_t>(value.f);
  }
}

Value float_from_bits(Type type, uint64_t bits) {
  switch (type) {
    case Type::F16:
      return {type, 0, half_from_bits(bits)};
    case Type::F32:
      return {type, 0, static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))};
    default:
      return {type, 0, std::bit_cast<double>(bits)};
  }
}

}  // namespace heddle::prim

size_t std::hash<heddle::prim::Value>::operator()(const heddle::prim::Value& value) const noexcept {
  uint64_t bits = std::isnan(value.f) ? ~uint64_t{0} : std::bit_cast<uint64_t>(value.f);
  bits ^= static_cast<uint64_t>(value.i) + (static_cast<uint64_t>(value.type) << 56);
  return std::hash<uint64_t>()(bits * 0x9e3779b97f4a7c15);
}
