// What may stand between an operation and where it is computed again.
#pragma once

#include <algorithm>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// Of the host's statements those that are known to overwrite no array: no scatters, histograms or updates, and nothing with statements within.
inline bool overwrites_nothing(const Exp& e) {
  if (const auto* op = std::get_if<SegOp>(&e)) {
    return std::ranges::none_of(op->types, [](const Type& t) { return t.is_acc(); }) && op->kind != SegKind::Hist &&
           std::ranges::all_of(op->body->results,
                               [](const KernelResult& r) { return std::holds_alternative<Returns>(r); });
  }
  return std::holds_alternative<PrimOp>(e) || std::holds_alternative<Atom>(e) || std::holds_alternative<Index>(e) ||
         std::holds_alternative<GetSize>(e) || std::holds_alternative<GetSizeMax>(e) ||
         std::holds_alternative<CalcNumBlocks>(e) || std::holds_alternative<Iota>(e) ||
         std::holds_alternative<Replicate>(e) || std::holds_alternative<Rearrange>(e) ||
         std::holds_alternative<Reshape>(e);
}

}  // namespace heddle::seg
