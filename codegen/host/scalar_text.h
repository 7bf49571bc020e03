// C text for names, constants, types and scalar expressions.
#pragma once

#include <functional>
#include <string>

#include "ir/nest/nest.h"
#include "ir/seg/syntax.h"

namespace heddle::codegen::host {

// The variable of a name. Different tags yield different variables, and none is a macro or keyword of C.
std::string c_name(const seg::Name& name);
// Not for constants of type unit.
std::string c_value(const seg::SubExp& value);
std::string c_enum(prim::Type type);         // HD_I32
std::string_view c_member(prim::Type type);  // of union hd_scalar; not for unit

// An expression whose value has type c_type(prim::result_type(op)) once it is stored in a variable.
std::string c_operation(const prim::Op& op, const std::vector<std::string>& args);

using Naming = std::function<std::string(const seg::Name&)>;
// May stand as an operand; of exactly its type.
std::string c_expr(const nest::Expr& expr, const Naming& naming);

}  // namespace heddle::codegen::host
