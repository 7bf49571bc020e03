// Primitive types, their values, and the operators and builtin functions on them, as Futhark's IR has them. Signedness
// belongs to operators, not to types.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::prim {

enum class Type : uint8_t { I8, I16, I32, I64, F16, F32, F64, Bool, Unit };

constexpr bool is_int(Type type) { return type <= Type::I64; }
constexpr bool is_float(Type type) { return type >= Type::F16 && type <= Type::F64; }
int size_bytes(Type type);         // in arrays; 0 for unit
std::string_view name(Type type);  // "i8" ... "f64", "bool", "unit"
std::optional<Type> parse_type(std::string_view text);

// A value of a primitive type. Integers (sign-extended) and booleans (0 or 1) are in `i`, floats in `f`, which holds
// every f16 and f32 exactly; the other field is 0. Make values with the functions below, which see to that.
struct Value {
  Type type = Type::Unit;
  int64_t i = 0;
  double f = 0;

  static Value of_int(Type type, int64_t value);   // wraps to the width of `type`
  static Value of_float(Type type, double value);  // rounds to nearest even
  static Value of_bool(bool value);
  static Value unit();
  static Value i8(int8_t value) { return of_int(Type::I8, value); }
  static Value i16(int16_t value) { return of_int(Type::I16, value); }
  static Value i32(int32_t value) { return of_int(Type::I32, value); }
  static Value i64(int64_t value) { return of_int(Type::I64, value); }
  static Value f32(float value) { return of_float(Type::F32, value); }
  static Value f64(double value) { return of_float(Type::F64, value); }

  bool as_bool() const { return i != 0; }

  // Bit for bit, so that -0.0 differs from 0.0; but every NaN equals every NaN of its type.
  friend bool operator==(const Value& a, const Value& b);
};

uint64_t as_unsigned(const Value& value);  // the bits of an integer
Value zero(Type type);                     // Futhark's blank value: 0, 0.0, false, ()
Value one(Type type);                      // 1, 1.0, true, ()

// The IR's notation: 3i64, -1i8, true, (), 0.1f32, 1.0e-2f32, f32.nan, -f32.inf. `parse_value` refuses integers that do
// not fit their type, and rounds floats.
std::string to_text(const Value& value);
std::optional<Value> parse_value(std::string_view text);

// The bit pattern of a float, in the low bits, and back.
uint64_t float_bits(const Value& value);
Value float_from_bits(Type type, uint64_t bits);

enum class Family : uint8_t {
#define HEDDLE_OP(family, text, kind, domain) family,
#include "ir/prim/ops.def"
#undef HEDDLE_OP
};

enum class Kind : uint8_t { Bin, Cmp, Un, Conv };

// An operator: a family at an operand type. `to` is the result type of a conversion and equals `type` otherwise.
struct Op {
  Family family;
  Type type;
  Type to;

  Op(Family family, Type type) : family(family), type(type), to(type) {}
  Op(Family family, Type from, Type to) : family(family), type(from), to(to) {}

  friend bool operator==(const Op&, const Op&) = default;
  friend auto operator<=>(const Op&, const Op&) = default;
};

Kind kind(Family family);
inline Kind kind(const Op& op) { return kind(op.family); }
bool is_valid(const Op& op);  // whether the family has an operator at these types
std::span<const Op> all_ops();

std::string name(const Op& op);                     // add64, eq_i64, lt32, neg_f32, logand, sext_i32_i64
std::optional<Op> parse_op(std::string_view text);  // inverse of `name`

// In the IR a conversion is written `<keyword> <from> x to <to>`, as in `sext i32 x to i64`.
std::string_view conv_keyword(const Op& op);
std::optional<Op> parse_conv(std::string_view keyword, std::string_view from, std::string_view to);

int arity(const Op& op);
Type arg_type(const Op& op);  // of all operands
Type result_type(const Op& op);

// Undefined for some operands (a zero divisor, a negative integer exponent): must not be executed where the program
// does not.
bool can_fail(const Op& op);

// nullopt where the operator is undefined or the operands have the wrong types.
std::optional<Value> eval(const Op& op, std::span<const Value> args);

enum class Builtin : uint8_t {
#define HEDDLE_FUNCTION(builtin, text, domain, signature) builtin,
#include "ir/prim/functions.def"
#undef HEDDLE_FUNCTION
};

// A builtin function at one type, such as sqrt32. Pointers to the table's entries stay valid.
struct Function {
  std::string name;
  Builtin builtin;
  Type type;  // what the name's suffix says
  Type result;
  int num_args;
  std::array<Type, 3> args;  // the first num_args count

  std::span<const Type> arg_types() const { return {args.data(), static_cast<size_t>(num_args)}; }
};

std::span<const Function> all_functions();
const Function* find_function(std::string_view name);  // nullptr if there is none
std::optional<Value> eval_function(const Function& function, std::span<const Value> args);

// How C text names and writes all this, given runtime/device/scalar_*.h, which define every c_function. Unit is a bool
// that is false.
std::string_view c_type(Type type);    // int32_t, hd_f16, float, bool ...
std::string c_function(const Op& op);  // "hd_" + name(op)
std::string c_function(const Function& function);
std::string c_literal(const Value& value);  // an operand of this value, parenthesised where needed
// The C operator that computes exactly what c_function(op) does on operands of c_type(arg_type(op)), once its result is
// stored in a variable of c_type(result_type(op)).
std::optional<std::string_view> c_infix(const Op& op);

}  // namespace heddle::prim

template <>
struct std::hash<heddle::prim::Value> {
  size_t operator()(const heddle::prim::Value& value) const noexcept;
};

template <>
struct std::hash<heddle::prim::Op> {
  size_t operator()(const heddle::prim::Op& op) const noexcept {
    return static_cast<size_t>(op.family) << 16 | static_cast<size_t>(op.type) << 8 | static_cast<size_t>(op.to);
  }
};
