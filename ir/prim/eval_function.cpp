#include <bit>
#include <cmath>

#include "ir/prim/prim.h"

namespace heddle::prim {

namespace {

int64_t mul_hi(Builtin builtin, const Value& a, const Value& b) {
  int width = 8 * size_bytes(a.type);
  if (builtin == Builtin::UMulHi || builtin == Builtin::UMadHi) {
    return static_cast<int64_t>(static_cast<unsigned __int128>(as_unsigned(a)) * as_unsigned(b) >> width);
  }
  return static_cast<int64_t>(static_cast<__int128>(a.i) * b.i >> width);
}

std::optional<Value> eval_int_function(const Function& function, std::span<const Value> args) {
  int width = 8 * size_bytes(function.type);
  uint64_t x = as_unsigned(args[0]);
  switch (function.builtin) {
    case Builtin::Clz:
      return Value::i32(std::countl_zero(x) - (64 - width));
    case Builtin::Ctz:
      return Value::i32(x == 0 ? width : std::countr_zero(x));
    case Builtin::Popc:
      return Value::i32(std::popcount(x));
    case Builtin::UMulHi:
    case Builtin::SMulHi:
      return Value::of_int(function.type, mul_hi(function.builtin, args[0], args[1]));
    case Builtin::UMadHi:
    case Builtin::SMadHi: {
      auto high = static_cast<uint64_t>(mul_hi(function.builtin, args[0], args[1]));
      return Value::of_int(function.type, static_cast<int64_t>(high + static_cast<uint64_t>(args[2].i)));
    }
    default:
      return std::nullopt;
  }
}

// Functions of numbers to numbers. An f16 goes through f32, except where its spacing of numbers matters.
template <typename T>
std::optional<T> eval_mathematics(Builtin builtin, T x, T y, T z) {
  switch (builtin) {
    case Builtin::Sqrt:
      return std::sqrt(x);
    case Builtin::Cbrt:
      return std::cbrt(x);
    case Builtin::Log:
      return std::log(x);
    case Builtin::Log10:
      return std::log10(x);
    case Builtin::Log1p:
      return std::log1p(x);
    case Builtin::Log2:
      return std::log2(x);
    case Builtin::Exp:
      return std::exp(x);
    case Builtin::Sin:
      return std::sin(x);
    case Builtin::Sinh:
      return std::sinh(x);
    case Builtin::Cos:
      return std::cos(x);
    case Builtin::Cosh:
      return std::cosh(x);
    case Builtin::Tan:
      return std::tan(x);
    case Builtin::Tanh:
      return std::tanh(x);
    case Builtin::Asin:
      return std::asin(x);
    case Builtin::Asinh:
      return std::asinh(x);
    case Builtin::Acos:
      return std::acos(x);
    case Builtin::Acosh:
      return std::acosh(x);
    case Builtin::Atan:
      return std::atan(x);
    case Builtin::Atanh:
      return std::atanh(x);
    case Builtin::Round:
      return std::rint(x);
    case Builtin::Ceil:
      return std::ceil(x);
    case Builtin::Floor:
      return std::floor(x);
    case Builtin::Gamma:
      return std::tgamma(x);
    case Builtin::Lgamma:
      return std::lgamma(x);
    case Builtin::Erf:
      return std::erf(x);
    case Builtin::Erfc:
      return std::erfc(x);
    case Builtin::Nextafter:
      return std::nextafter(x, y);
    case Builtin::Copysign:
      return std::copysign(x, y);
    case Builtin::Atan2:
      return std::atan2(x, y);
    case Builtin::Hypot:
      return std::hypot(x, y);
    case Builtin::Lerp:
      return x + (y - x) * z;
    case Builtin::Mad:
      return x * y + z;
    case Builtin::Fma:
      return std::fma(x, y, z);
    default:
      return std::nullopt;
  }
}

Value half_nextafter(const Value& from, const Value& to) {
  if (std::isnan(from.f)) return from;
  if (std::isnan(to.f) || from.f == to.f) return to;
  constexpr double kLeast = 0x1p-24;
  if (from.f == 0) return Value::of_float(Type::F16, std::copysign(kLeast, to.f));
  bool away_from_zero = (from.f < to.f) == (from.f > 0);
  uint64_t bits = float_bits(from);
  return float_from_bits(Type::F16, away_from_zero ? bits + 1 : bits - 1);
}

std::optional<Value> eval_float_function(const Function& function, std::span<const Value> args) {
  const Value& x = args[0];
  switch (function.builtin) {
    case Builtin::IsInf:
      return Value::of_bool(std::isinf(x.f));
    case Builtin::IsNan:
      return Value::of_bool(std::isnan(x.f));
    case Builtin::ToBits:
      return Value::of_int(function.result, static_cast<int64_t>(float_bits(x)));
    case Builtin::FromBits:
      return float_from_bits(function.type, as_unsigned(x));
    case Builtin::Ldexp:
      return Value::of_float(function.type, std::ldexp(x.f, static_cast<int>(args[1].i)));
    case Builtin::Nextafter:
      if (function.type == Type::F16) return half_nextafter(x, args[1]);
      break;
    default:
      break;
  }
  double y = args.size() > 1 ? args[1].f : 0, z = args.size() > 2 ? args[2].f : 0;
  if (function.type == Type::F64) {
    std::optional<double> result = eval_mathematics(function.builtin, x.f, y, z);
    if (!result) return std::nullopt;
    return Value::f64(*result);
  }
  std::optional<float> result =
      eval_mathematics(function.builtin, static_cast<float>(x.f), static_cast<float>(y), static_cast<float>(z));
  if (!result) return std::nullopt;
  return Value::of_float(function.type, *result);
}

}  // namespace

std::optional<Value> eval_function(const Function& function, std::span<const Value> args) {
  if (args.size() != static_cast<size_t>(function.num_args)) return std::nullopt;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].type != function.args[i]) return std::nullopt;
  }
  if (function.builtin == Builtin::Cond) return args[0].as_bool() ? args[1] : args[2];
  return is_int(function.type) ? eval_int_function(function, args) : eval_float_function(function, args);
}

}  // namespace heddle::prim
