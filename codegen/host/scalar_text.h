// C text for constants, types and operators in host statements. Names and expressions: codegen/c_expr.h.
#pragma once

#include <string>
#include <vector>

#include "codegen/c_expr.h"

namespace heddle::codegen::host {

std::string c_enum(prim::Type type);         // HD_I32
std::string_view c_member(prim::Type type);  // of union hd_scalar; not for unit

std::vector<std::string> c_exprs(const std::vector<nest::Expr>& values);
// (const int64_t[]){...}, for arguments.
std::string c_int64s(const std::vector<std::string>& values);
std::string c_int64s(const std::vector<nest::Expr>& values);
std::string c_ints(const std::vector<int>& values);

}  // namespace heddle::codegen::host
