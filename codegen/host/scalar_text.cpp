#include "codegen/host/scalar_text.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "codegen/host/c_writer.h"

namespace heddle::codegen::host {

std::string c_value(const seg::SubExp& value) {
  return value.is_var() ? c_name(value.name()) : prim::c_literal(value.value());
}

std::vector<std::string> c_values(const std::vector<seg::SubExp>& values) {
  std::vector<std::string> texts;
  for (const seg::SubExp& v : values) texts.push_back(c_value(v));
  return texts;
}

std::string c_enum(prim::Type type) {
  std::string text = "HD_";
  for (char c : prim::name(type)) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string_view c_member(prim::Type type) { return type == prim::Type::Bool ? "b" : prim::name(type); }

bool is_static_constant(const seg::SubExp& value) {
  // Infinities and NaNs are written as calls.
  return !value.is_var() && (!prim::is_float(value.value().type) || std::isfinite(value.value().f));
}

std::string c_operation(const prim::Op& op, const std::vector<std::string>& args) {
  auto infix = prim::c_infix(op);
  if (infix && args.size() == 2) return fmt::format("{} {} {}", args[0], *infix, args[1]);
  return fmt::format("{}({})", prim::c_function(op), join(args));
}

std::string c_int64s(const std::vector<std::string>& values) {
  return fmt::format("(const int64_t[]){{{}}}", join(values));
}

std::string c_ints(const std::vector<int>& values) {
  return fmt::format("(const int[]){{{}}}", fmt::join(values, ", "));
}

}  // namespace heddle::codegen::host
