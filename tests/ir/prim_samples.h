// Every operator and builtin function under one roof, with values to try it on.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "ir/prim/prim.h"

namespace heddle::prim::samples {

struct Callable {
  std::string name;
  std::string c_name;
  std::vector<Type> args;
  Type result;
  std::optional<Op> op;  // one of these two
  const Function* function = nullptr;

  std::optional<Value> eval(std::span<const Value> values) const {
    return op ? prim::eval(*op, values) : eval_function(*function, values);
  }
};

inline std::vector<Callable> all_callables() {
  std::vector<Callable> result;
  for (const Op& op : all_ops()) {
    std::vector<Type> args(static_cast<size_t>(arity(op)), arg_type(op));
    result.push_back({name(op), c_function(op), args, result_type(op), op, nullptr});
  }
  for (const Function& function : all_functions()) {
    std::vector<Type> args(function.arg_types().begin(), function.arg_types().end());
    result.push_back({function.name, c_function(function), args, function.result, std::nullopt, &function});
  }
  return result;
}

inline std::vector<Value> int_samples(Type type, int num_random) {
  int width = 8 * size_bytes(type);
  auto least = static_cast<int64_t>(~uint64_t{0} << (width - 1));
  int64_t greatest = ~least;
  std::vector<int64_t> numbers = {0,   1,     -1,        2,        -2,           3,         -3,          5,  7,
                                  -7,  8,     15,        16,       31,           32,        33,          63, 64,
                                  100, least, least + 1, greatest, greatest - 1, least / 2, greatest / 2};
  std::mt19937_64 random(42);
  for (int i = 0; i < num_random; ++i) numbers.push_back(static_cast<int64_t>(random()));
  std::vector<Value> result;
  for (int64_t number : numbers) result.push_back(Value::of_int(type, number));
  return result;
}

inline std::vector<Value> float_samples(Type type, int num_random) {
  double inf = std::numeric_limits<double>::infinity();
  std::vector<double> numbers = {
      0.0,    -0.0,     1,       -1,        0.5,        -0.5,         1.5,
      2.5,    -2.5,     3.7,     -3.7,      0.1,        -0.1,         10,
      1e-3,   127,      128,     255,       256,        -129,         1000,
      65504,  65519.9,  65520,   70000,     2147483647, 2147483648.0, -2147483648.0,
      4e9,    0x1p63,   -0x1p63, 0x1p64,    1e30,       -1e30,        1e300,
      -1e300, 6e-8,     0x1p-14, 0x1p-24,   0x1p-25,    0x1.8p-25,    1e-40,
      -1e-45, 0x1p-126, 5e-324,  0x1p-1022, inf,        -inf,         std::numeric_limits<double>::quiet_NaN()};
  std::mt19937_64 random(43);
  std::normal_distribution<double> near_zero(0, 3);
  for (int i = 0; i < num_random; ++i) numbers.push_back(near_zero(random));
  for (int i = 0; i < num_random; ++i) numbers.push_back(float_from_bits(type, random()).f);
  std::vector<Value> result;
  for (double number : numbers) result.push_back(Value::of_float(type, number));
  return result;
}

inline std::vector<Value> samples(Type type, int num_random) {
  if (is_int(type)) return int_samples(type, num_random);
  if (is_float(type)) return float_samples(type, num_random);
  if (type == Type::Bool) return {Value::of_bool(false), Value::of_bool(true)};
  return {Value::unit()};
}

constexpr int kLiteralSamples = 50;  // random values per type among the literals

// All combinations of sample operands, thinned out for three operands.
inline std::vector<std::vector<Value>> operand_samples(const std::vector<Type>& types) {
  std::vector<std::vector<Value>> result = {{}};
  for (Type type : types) {
    std::vector<std::vector<Value>> longer;
    size_t i = 0;
    for (const std::vector<Value>& prefix : result) {
      for (const Value& value : samples(type, types.size() == 1 ? 200 : 8)) {
        if (types.size() == 3 && type != Type::Bool && i++ % 5 != 0) continue;
        longer.push_back(prefix);
        longer.back().push_back(value);
      }
    }
    result = std::move(longer);
  }
  return result;
}

// The _nw operators promise that no one ever looks at what overflows.
inline bool breaks_promise(const Callable& callable, std::span<const Value> operands) {
  if (!callable.op) return false;
  __int128 x = operands[0].i, y = operands.back().i, exact = 0;
  switch (callable.op->family) {
    case Family::AddNw:
      exact = x + y;
      break;
    case Family::SubNw:
      exact = x - y;
      break;
    case Family::MulNw:
      exact = x * y;
      break;
    default:
      return false;
  }
  return exact != Value::of_int(callable.op->type, static_cast<int64_t>(exact)).i;
}

// Both orders are right for the minimum of 0.0 and -0.0.
inline bool ignores_sign_of_zero(const Callable& callable) {
  return callable.op && (callable.op->family == Family::FMin || callable.op->family == Family::FMax);
}

// Values as they lie in 8 bytes of memory, little-endian, and back.
inline uint64_t to_slot(const Value& value) {
  if (is_float(value.type)) return float_bits(value);
  int unused_bits = 64 - 8 * size_bytes(value.type);
  return static_cast<uint64_t>(value.i) << unused_bits >> unused_bits;
}

inline Value from_slot(Type type, uint64_t slot) {
  if (is_float(type)) return float_from_bits(type, slot);
  if (is_int(type)) return Value::of_int(type, static_cast<int64_t>(slot));
  return Value::of_bool((slot & 0xff) != 0);
}

inline std::string describe(const Callable& callable, std::span<const Value> operands) {
  std::string text = callable.name + "(";
  for (const Value& operand : operands) text += (&operand == operands.data() ? "" : ", ") + to_text(operand);
  return text + ")";
}

}  // namespace heddle::prim::samples
