#include "codegen/host/scalar_text.h"

#include <fmt/format.h>

#include <cctype>

#include "codegen/host/c_writer.h"

namespace heddle::codegen::host {

std::string c_enum(prim::Type type) {
  std::string text = "HD_";
  for (char c : prim::name(type)) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string_view c_member(prim::Type type) { return type == prim::Type::Bool ? "b" : prim::name(type); }

std::vector<std::string> c_exprs(const std::vector<nest::Expr>& values) {
  std::vector<std::string> texts;
  for (const nest::Expr& e : values) texts.push_back(c_expr(e));
  return texts;
}

std::string c_int64s(const std::vector<std::string>& values) {
  return fmt::format("(const int64_t[]){{{}}}", join(values));
}

std::string c_int64s(const std::vector<nest::Expr>& values) { return c_int64s(c_exprs(values)); }

std::string c_ints(const std::vector<int>& values) {
  return fmt::format("(const int[]){{{}}}", fmt::join(values, ", "));
}

}  // namespace heddle::codegen::host
