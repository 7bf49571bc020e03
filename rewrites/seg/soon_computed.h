// Statements that take hardly longer than reading what they yield.
#pragma once

#include <algorithm>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// A few operations on scalars and on elements of arrays, without asserts.
inline bool is_soon_computed(const Stms& stms, size_t most_statements, int64_t most_reads) {
  auto reads = [](const StmPtr& s) { return std::holds_alternative<Index>(s->exp); };
  auto is_simple = [&](const StmPtr& s) {
    return s->pat.size() == 1 && s->pat[0].type.is_scalar() &&
           (std::holds_alternative<PrimOp>(s->exp) || std::holds_alternative<Atom>(s->exp) || reads(s));
  };
  return stms.size() <= most_statements && std::ranges::all_of(stms, is_simple) &&
         std::ranges::count_if(stms, reads) <= most_reads;
}

}  // namespace heddle::seg
