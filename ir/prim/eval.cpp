#include <bit>
#include <cmath>

#include "ir/prim/prim.h"

namespace heddle::prim {

namespace {

// Integers are evaluated as mathematical integers, which 128 bits hold, and wrapped at the end.
using Wide = __int128;
using UWide = unsigned __int128;

Wide floor_divide(Wide x, Wide y) {
  Wide quotient = x / y;
  bool inexact = quotient * y != x;
  return inexact && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    base *= base;
  }
  return result;
}

// Rounds up as C does it: x + y - 1 wraps at the type's width, but not below 32 bits.
uint64_t unsigned_divide_up(Type type, uint64_t x, uint64_t y) {
  uint64_t sum = x + y - 1;
  if (type == Type::I32) sum &= 0xffffffff;
  return sum / y;
}

std::optional<Wide> eval_int_division(Family family, const Value& a, const Value& b) {
  Wide x = a.i, y = b.i;
  uint64_t ux = as_unsigned(a), uy = as_unsigned(b);
  switch (family) {
    case Family::UDiv:
    case Family::UDivSafe:
      return ux / uy;
    case Family::UDivUp:
    case Family::UDivUpSafe:
      return unsigned_divide_up(a.type, ux, uy);
    case Family::UMod:
    case Family::UModSafe:
      return ux % uy;
    case Family::SDiv:
    case Family::SDivSafe:
      return floor_divide(x, y);
    case Family::SDivUp:
    case Family::SDivUpSafe:
      return floor_divide(Value::of_int(a.type, static_cast<int64_t>(x + y - 1)).i, y);
    case Family::SMod:
    case Family::SModSafe:
      return x - floor_divide(x, y) * y;
    case Family::SQuot:
    case Family::SQuotSafe:
      return x / y;
    case Family::SRem:
    case Family::SRemSafe:
      return x % y;
    default:
      return std::nullopt;
  }
}

bool is_safe_division(Family family) {
  switch (family) {
    case Family::UDivSafe:
    case Family::UDivUpSafe:
    case Family::UModSafe:
    case Family::SDivSafe:
    case Family::SDivUpSafe:
    case Family::SModSafe:
    case Family::SQuotSafe:
    case Family::SRemSafe:
      return true;
    default:
      return false;
  }
}

std::optional<Wide> eval_int_binary(const Op& op, const Value& a, const Value& b) {
  Wide x = a.i, y = b.i;
  uint64_t ux = as_unsigned(a), uy = as_unsigned(b);
  auto width = static_cast<uint64_t>(8 * size_bytes(op.type));
  switch (op.family) {
    case Family::Add:
    case Family::AddNw:
      return x + y;
    case Family::Sub:
    case Family::SubNw:
      return x - y;
    case Family::Mul:
    case Family::MulNw:
      return x * y;
    case Family::SMin:
      return std::min(x, y);
    case Family::SMax:
      return std::max(x, y);
    case Family::UMin:
      return std::min(ux, uy);
    case Family::UMax:
      return std::max(ux, uy);
    case Family::And:
      return x & y;
    case Family::Or:
      return x | y;
    case Family::Xor:
      return x ^ y;
    case Family::Shl:
      return uy < width ? ux << uy : 0;
    case Family::LShr:
      return uy < width ? ux >> uy : 0;
    case Family::AShr:
      return a.i >> std::min(uy, width - 1);
    case Family::Pow:
      if (y < 0) return std::nullopt;
      return power(ux, uy);
    default:
      if (y != 0) return eval_int_division(op.family, a, b);
      if (is_safe_division(op.family)) return 0;
      return std::nullopt;
  }
}

Wide eval_int_unary(Family family, int64_t x) {
  switch (family) {
    case Family::Neg:
      return -static_cast<Wide>(x);
    case Family::Complement:
      return ~x;
    case Family::Abs:
      return x < 0 ? -static_cast<Wide>(x) : x;
    case Family::SSignum:
      return (x > 0) - (x < 0);
    default:
      return x != 0;  // USignum
  }
}

bool eval_int_comparison(Family family, const Value& a, const Value& b) {
  switch (family) {
    case Family::Ult:
      return as_unsigned(a) < as_unsigned(b);
    case Family::Ule:
      return as_unsigned(a) <= as_unsigned(b);
    case Family::Slt:
      return a.i < b.i;
    case Family::Sle:
      return a.i <= b.i;
    default:
      return a.i == b.i;  // Eq
  }
}

// The number where one is NaN. Of two zeros -0.0 is the lesser, which the standard library leaves open.
template <typename T>
T least(T x, T y) {
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  return std::fmin(x, y);
}

template <typename T>
T eval_float_binary(Family family, T x, T y) {
  switch (family) {
    case Family::FAdd:
      return x + y;
    case Family::FSub:
      return x - y;
    case Family::FMul:
      return x * y;
    case Family::FDiv:
      return x / y;
    case Family::FMod:
      return std::fmod(x, y);
    case Family::FPow:
      return std::pow(x, y);
    case Family::FMin:
      return least(x, y);
    default:
      return -least(-x, -y);  // FMax
  }
}

double eval_float_unary(Family family, double x) {
  switch (family) {
    case Family::Neg:
      return -x;
    case Family::FAbs:
      return std::fabs(x);
    default:
      return std::isnan(x) ? x : (x > 0) - (x < 0);  // FSignum
  }
}

bool eval_float_comparison(Family family, double x, double y) {
  switch (family) {
    case Family::FLt:
      return x < y;
    case Family::FLe:
      return x <= y;
    default:
      return x == y;  // Eq
  }
}

bool eval_bool(Family family, bool x, bool y) {
  switch (family) {
    case Family::LogAnd:
      return x && y;
    case Family::LogOr:
      return x || y;
    case Family::Llt:
      return !x && y;
    case Family::Lle:
      return !x || y;
    case Family::Eq:
      return x == y;
    default:
      return !x;  // Neg
  }
}

// Truncates to what has the type's width, or 32 bits for narrow ones, which then wrap. What is beyond becomes the least
// or greatest value, NaN and infinities 0; an unsigned type takes what is negative if its signed one does. Futhark's
// programs do so on GPUs, except that unsigned types end where signed ones do; where C leaves it open, x86 gives the
// least value.
int64_t truncate(double x, Type to, bool is_signed) {
  if (!std::isfinite(x)) return 0;
  Wide half = Wide{1} << (to == Type::I64 ? 63 : 31);
  Wide end = is_signed ? half : 2 * half;
  if (x < -static_cast<double>(half)) return static_cast<int64_t>(-half);
  return static_cast<int64_t>(x < static_cast<double>(end) ? static_cast<Wide>(x) : end - 1);
}

template <typename Int>
Value int_to_float(Type to, Int x) {
  if (to == Type::F64) return Value::f64(static_cast<double>(x));
  // Integers that f32 does not hold exactly are infinite as halves.
  return Value::of_float(to, static_cast<float>(x));
}

Value eval_conversion(const Op& op, const Value& x) {
  switch (op.family) {
    case Family::SExt:
      return Value::of_int(op.to, x.i);
    case Family::ZExt:
      return Value::of_int(op.to, static_cast<int64_t>(as_unsigned(x)));
    case Family::FPConv:
      return Value::of_float(op.to, x.f);
    case Family::FPToSI:
      return Value::of_int(op.to, truncate(x.f, op.to, true));
    case Family::FPToUI:
      return Value::of_int(op.to, truncate(x.f, op.to, false));
    case Family::SIToFP:
      return int_to_float(op.to, x.i);
    case Family::UIToFP:
      return int_to_float(op.to, as_unsigned(x));
    case Family::IToB:
      return Value::of_bool(x.i != 0);
    case Family::FToB:
      return Value::of_bool(x.f != 0);
    default:
      return x.as_bool() ? one(op.to) : zero(op.to);  // BToI, BToF
  }
}

std::optional<Value> eval_binary(const Op& op, const Value& a, const Value& b) {
  if (op.type == Type::Bool) return Value::of_bool(eval_bool(op.family, a.as_bool(), b.as_bool()));
  if (is_int(op.type)) {
    std::optional<Wide> result = eval_int_binary(op, a, b);
    if (!result) return std::nullopt;
    return Value::of_int(op.type, static_cast<int64_t>(*result));
  }
  if (op.type == Type::F64) return Value::f64(eval_float_binary(op.family, a.f, b.f));
  // Halves compute as f32 and round once.
  return Value::of_float(op.type, eval_float_binary(op.family, static_cast<float>(a.f), static_cast<float>(b.f)));
}

bool eval_comparison(const Op& op, const Value& a, const Value& b) {
  if (op.type == Type::Bool) return eval_bool(op.family, a.as_bool(), b.as_bool());
  return is_int(op.type) ? eval_int_comparison(op.family, a, b) : eval_float_comparison(op.family, a.f, b.f);
}

Value eval_unary(const Op& op, const Value& x) {
  if (op.type == Type::Bool) return Value::of_bool(!x.as_bool());
  if (is_int(op.type)) return Value::of_int(op.type, static_cast<int64_t>(eval_int_unary(op.family, x.i)));
  return Value::of_float(op.type, eval_float_unary(op.family, x.f));
}

}  // namespace

std::optional<Value> eval(const Op& op, std::span<const Value> args) {
  if (!is_valid(op) || args.size() != static_cast<size_t>(arity(op))) return std::nullopt;
  for (const Value& arg : args) {
    if (arg.type != op.type) return std::nullopt;
  }
  switch (kind(op)) {
    case Kind::Bin:
      return eval_binary(op, args[0], args[1]);
    case Kind::Cmp:
      return Value::of_bool(eval_comparison(op, args[0], args[1]));
    case Kind::Un:
      return eval_unary(op, args[0]);
    case Kind::Conv:
      return eval_conversion(op, args[0]);
  }
  return std::nullopt;
}

}  // namespace heddle::prim
