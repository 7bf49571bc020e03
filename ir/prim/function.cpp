#include <map>
#include <vector>

#include "ir/prim/prim.h"

namespace heddle::prim {

namespace {

enum class Domain : uint8_t { Int, Float, Prim };
enum class Signature : uint8_t { T_T, TT_T, TTT_T, T_I32, T_Bool, TI32_T, T_I, I_T, BoolTT_T };

struct BuiltinInfo {
  std::string_view text;
  Domain domain;
  Signature signature;
};

constexpr BuiltinInfo kBuiltins[] = {
#define HEDDLE_FUNCTION(builtin, text, domain, signature) {text, Domain::domain, Signature::signature},
#include "ir/prim/functions.def"
#undef HEDDLE_FUNCTION
};

bool in_domain(Domain domain, Type type) {
  switch (domain) {
    case Domain::Int:
      return is_int(type);
    case Domain::Float:
      return is_float(type);
    case Domain::Prim:
      return type != Type::Unit;
  }
  return false;
}

// The integer type of a float type's width.
Type bits_type(Type type) {
  switch (type) {
    case Type::F16:
      return Type::I16;
    case Type::F32:
      return Type::I32;
    default:
      return Type::I64;
  }
}

Function make_function(Builtin builtin, const BuiltinInfo& info, Type type) {
  std::string suffix = info.domain == Domain::Prim ? std::string(name(type)) : std::to_string(8 * size_bytes(type));
  Function function = {std::string(info.text) + suffix, builtin, type, type, 1, {type, type, type}};
  switch (info.signature) {
    case Signature::T_T:
      break;
    case Signature::TT_T:
      function.num_args = 2;
      break;
    case Signature::TTT_T:
      function.num_args = 3;
      break;
    case Signature::T_I32:
      function.result = Type::I32;
      break;
    case Signature::T_Bool:
      function.result = Type::Bool;
      break;
    case Signature::TI32_T:
      function.num_args = 2;
      function.args[1] = Type::I32;
      break;
    case Signature::T_I:
      function.result = bits_type(type);
      break;
    case Signature::I_T:
      function.args[0] = bits_type(type);
      break;
    case Signature::BoolTT_T:
      function.num_args = 3;
      function.args[0] = Type::Bool;
      break;
  }
  return function;
}

std::vector<Function> make_all_functions() {
  std::vector<Function> functions;
  for (size_t i = 0; i < std::size(kBuiltins); ++i) {
    for (int t = 0; t <= static_cast<int>(Type::Unit); ++t) {
      auto type = static_cast<Type>(t);
      if (!in_domain(kBuiltins[i].domain, type)) continue;
      functions.push_back(make_function(static_cast<Builtin>(i), kBuiltins[i], type));
    }
  }
  return functions;
}

std::map<std::string_view, const Function*> make_functions_by_name() {
  std::map<std::string_view, const Function*> functions;
  for (const Function& function : all_functions()) functions.emplace(function.name, &function);
  return functions;
}

}  // namespace

std::span<const Function> all_functions() {
  static const std::vector<Function> functions = make_all_functions();
  return functions;
}

const Function* find_function(std::string_view name) {
  static const std::map<std::string_view, const Function*> functions = make_functions_by_name();
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace heddle::prim
