// Chains of `else if`, which the IR has as branches in branches.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// let {x} = if c then .. else { S; let {y} = if d then .. else ..  in {y} }
//   The inner branch of the outer one's `otherwise`, if that yields its results and nothing else and each of S passes
//   `is_plain`; else null.
template <class F>
const Match* else_if(const Match& outer, F is_plain) {
  const Body& body = *outer.otherwise;
  if (body.stms.empty()) return nullptr;
  const Stm& last = *body.stms.back();
  const auto* inner = std::get_if<Match>(&last.exp);
  if (!inner || last.pat.size() != body.result.size()) return nullptr;
  for (size_t k = 0; k < last.pat.size(); ++k) {
    if (!(body.result[k].value == SubExp(last.pat[k].name))) return nullptr;
  }
  for (size_t k = 0; k + 1 < body.stms.size(); ++k) {
    if (!is_plain(*body.stms[k])) return nullptr;
  }
  return inner;
}

}  // namespace heddle::seg
