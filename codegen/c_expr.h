// Scalar expressions as C, in the words of runtime/device/prelude.h and scalar.h.
#pragma once

#include <string>
#include <unordered_map>

#include "ir/nest/nest.h"

namespace heddle::codegen {

// A C identifier for a name of the program: unique by its tag, a keyword, macro or function of no header, whatever
// characters the program has used.
std::string c_name(const seg::Name& name);

using BufferTable = std::unordered_map<seg::Name, nest::Buffer>;

// An expression that may be put after `=`, or between commas.
std::string c_expr(const nest::Expr& e, const BufferTable& buffers = {});

// The element of a buffer, as something that can be assigned to.
std::string c_element(const seg::Name& buffer, const std::vector<nest::Expr>& index, const BufferTable& buffers);

// Unit values have no text: nothing is declared, stored or passed for them.
inline bool has_text(prim::Type type) { return type != prim::Type::Unit; }

}  // namespace heddle::codegen
