// What blocks of threads can work on together: operators on scalars.
#pragma once

#include <algorithm>

#include "ir/seg/syntax.h"

namespace heddle::seg {

inline bool is_stored_scalar(const Type& t) { return t.is_scalar() && !t.is_acc() && t.elem != prim::Type::Unit; }

// Whether each operator of a segred or segscan is one on scalars that take memory.
inline bool of_scalars(const SegOp& op) {
  return std::ranges::all_of(
      op.ops, [](const SegBinOp& o) { return o.shape.empty() && std::ranges::all_of(o.lambda.ret, is_stored_scalar); });
}

// Whether each bin of each histogram is a scalar or several, or arrays of scalars to which the operator is applied one by one.
inline bool has_bins_of_scalars(const SegOp& op) {
  return std::ranges::all_of(op.hists, [](const HistOp& h) { return std::ranges::all_of(h.op.ret, is_stored_scalar); });
}

}  // namespace heddle::seg
