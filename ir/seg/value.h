// Values at run time, and Futhark's notation for them: 1i32, [1.5f32, f32.nan], empty([0][3]u8), "text", true.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/prim/prim.h"

namespace heddle::seg {

// A rectangular array in row-major order. Elements are kept as 64 bits each: an integer or boolean sign-extended, a
// float as the bits of the double that holds it exactly.
struct Array {
  prim::Type elem = prim::Type::Unit;
  std::vector<int64_t> shape;
  std::shared_ptr<std::vector<int64_t>> cells;  // shared until written to

  int64_t size() const { return static_cast<int64_t>(cells->size()); }
  prim::Value at(int64_t i) const;
  // Copies the cells first if another array shares them.
  void set(int64_t i, const prim::Value& value);
};

int64_t to_cell(const prim::Value& value);
prim::Value from_cell(prim::Type type, int64_t cell);

// The product of the sizes; nullopt if it overflows or a size is negative.
std::optional<int64_t> element_count(const std::vector<int64_t>& shape);

using Value = std::variant<prim::Value, Array>;

// Bit for bit, but every NaN equals every NaN.
bool equal(const Value& a, const Value& b);

// The IR's integers have no sign; Futhark's notation needs it.
struct TypedValue {
  Value value;
  bool is_unsigned = false;
};

std::string to_text(const Value& value, bool is_unsigned = false);

struct ReadValues {
  std::vector<TypedValue> values;
  std::optional<std::string> error;  // what is wrong and where; the values read before it are kept
};
// Values separated by white space; `--` starts a comment. Numbers without a suffix are i32 or f64.
ReadValues read_values(std::string_view text);

}  // namespace heddle::seg
