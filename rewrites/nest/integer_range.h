// Between which numbers an integer lies, by its type, constants and the operators that it is computed by.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "ir/nest/nest.h"

namespace heddle::nest {

struct IntegerRange {  // of the number with its sign, both ends included
  int64_t low, high;
};

IntegerRange all_of(prim::Type type);
// Of all that have so many bits, without a sign. Of I8, I16 and I32.
IntegerRange all_unsigned(prim::Type type);
bool is_within(const IntegerRange& inner, const IntegerRange& outer);

// What is known of an expression or a part of it beside what it is computed by, of a name above all; of what nothing is known the type
// decides.
using KnownRange = std::function<std::optional<IntegerRange>(const Expr&)>;
using IntegerRanges = std::unordered_map<Name, IntegerRange>;
std::optional<IntegerRange> range_of_name(const Expr& e, const IntegerRanges& known);

// Of an integer. All that its type has where it may wrap around.
IntegerRange range_of(const Expr& e, const KnownRange& known);

}  // namespace heddle::nest
