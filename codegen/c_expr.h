// Scalar expressions as C, in the words of runtime/device/prelude.h and scalar.h.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ir/nest/nest.h"

namespace heddle::codegen {

// A C identifier for a name of the program: unique by its tag, a keyword, macro or function of no header, whatever
// characters the program has used.
std::string c_name(const seg::Name& name);

using BufferTable = std::unordered_map<seg::Name, nest::Buffer>;

// i64 variables of a kernel whose values and those of their sums and products are known to be small and not negative:
// they are declared as uint32_t, since the device computes with 64 bits at a fraction of the speed.
using SmallNames = std::unordered_set<seg::Name>;

// Whether an i64 expression is made of small names, literals and operators that keep it small.
bool is_small(const nest::Expr& e, const SmallNames& small);

// An expression that may be put after `=`, or between commas.
std::string c_expr(const nest::Expr& e, const BufferTable& buffers = {}, const SmallNames& small = {});

// The element of a buffer, as something that can be assigned to.
std::string c_element(const seg::Name& buffer, const std::vector<nest::Expr>& index, const BufferTable& buffers,
                      const SmallNames& small = {});

// Unit values have no text: nothing is declared, stored or passed for them.
inline bool has_text(prim::Type type) { return type != prim::Type::Unit; }

}  // namespace heddle::codegen
