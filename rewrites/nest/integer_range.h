// Between which numbers an integer lies, by its type, constants and the operators that it is computed by.
#pragma once

#include <cstdint>
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

// Ranges of names that expressions use; of all others the type decides.
using IntegerRanges = std::unordered_map<Name, IntegerRange>;

// Of an integer. It looks at the expression alone: what names are is in `known`.
IntegerRange range_of(const Expr& e, const IntegerRanges& known);

}  // namespace heddle::nest
