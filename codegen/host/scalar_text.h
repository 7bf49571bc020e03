// C text for constants, types and operators in host statements. Names and expressions: codegen/c_expr.h.
#pragma once

#include <string>
#include <vector>

#include "codegen/c_expr.h"
#include "ir/seg/syntax.h"

namespace heddle::codegen::host {

// Not for constants of type unit.
std::string c_value(const seg::SubExp& value);
std::vector<std::string> c_values(const std::vector<seg::SubExp>& values);
std::string c_enum(prim::Type type);         // HD_I32
std::string_view c_member(prim::Type type);  // of union hd_scalar; not for unit
// Whether a static initialiser may hold it.
bool is_static_constant(const seg::SubExp& value);

// An expression whose value has type c_type(prim::result_type(op)) once it is stored in a variable.
std::string c_operation(const prim::Op& op, const std::vector<std::string>& args);

// (const int64_t[]){...}, for arguments.
std::string c_int64s(const std::vector<std::string>& values);
std::string c_ints(const std::vector<int>& values);

}  // namespace heddle::codegen::host
