// Scalar expressions as C, in the words of runtime/device/prelude.h and scalar.h.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ir/nest/nest.h"

namespace heddle::codegen {

// A C identifier for a name of the program: unique by its tag, a keyword, macro or function of no header, whatever
// characters the program has used.
std::string c_name(const Name& name);

using BufferTable = std::unordered_map<Name, nest::Buffer>;

// i64 variables of a kernel that are declared with 32 bits, since the device computes with 64 at a fraction of the
// speed.
struct NarrowNames {
  // uint32_t: neither they nor the sums, differences and products of them that occur are negative or reach 2^31. Only
  // differences from a literal zero may be negative: steps backwards through an array.
  std::unordered_set<Name> small;
  // int32_t: neither they nor the sums and differences of them that occur, or their products with small ones, reach
  // 2^31 on either side of zero.
  std::unordered_set<Name> indices;
  // Of the small ones, those that C takes for an int.
  std::unordered_set<Name> constants;
  // What the host passes as a `struct hd_long_divisor`, too, the i-th as long_divisor_name(i).
  std::vector<nest::Expr> long_divisors;
  // Indices of loops that are written out: numbers, once they are.
  std::unordered_set<Name> written_out;
};
std::string long_divisor_name(size_t i);
bool is_long_division(const nest::Operation& o);
// Divisions can, but not by a constant above zero.
bool can_fail(const nest::Operation& o);

enum class Width { Small, Index, Wide };
Width width_of(const nest::Expr& e, const NarrowNames& narrow);
inline bool is_small(const nest::Expr& e, const NarrowNames& narrow) { return width_of(e, narrow) == Width::Small; }

// An expression that may be put after `=`, or between commas.
std::string c_expr(const nest::Expr& e, const BufferTable& buffers = {}, const NarrowNames& narrow = {});

// The element of a buffer, as something that can be assigned to.
std::string c_element(const Name& buffer, const std::vector<nest::Expr>& index, const BufferTable& buffers,
                      const NarrowNames& narrow = {});

// Unit values have no text: nothing is declared, stored or passed for them.
inline bool has_text(prim::Type type) { return type != prim::Type::Unit; }

}  // namespace heddle::codegen
