// What the host reads of results: elements of arrays that have one, as reductions of whole arrays leave them.
#pragma once

#include <algorithm>

#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

inline bool has_one_element(const Type& t) {
  return t.is_array() && std::ranges::all_of(t.dims, [](const Dim& d) {
           return !d.is_ext() && !d.size().is_var() && d.size().value().i == 1;
         });
}

// The arrays of one element that some statements bind.
inline void add_arrays_of_one_element(const Stm& s, NameSet& arrays) {
  for (const PatElem& p : s.pat) {
    if (has_one_element(p.type)) arrays.insert(p.name);
  }
}

inline bool reads_one_of(const Stm& s, const NameSet& arrays) {
  const auto* e = std::get_if<Index>(&s.exp);
  return e && arrays.contains(e->array) && s.pat[0].type.is_scalar();
}

template <class E, class... Es>
inline constexpr bool is_one_of = (std::is_same_v<E, Es> || ...);

// Whether a host statement has no host statements inside, says nothing, and overwrites nothing: what is read before it
// may as well be read after it.
inline bool leaves_arrays_alone(const Exp& e) {
  if (const auto* op = std::get_if<SegOp>(&e)) {
    return op->hists.empty() && std::ranges::none_of(op->body->results, [](const KernelResult& r) {
             return std::holds_alternative<WriteReturns>(r);
           });
  }
  return std::visit(
      [](const auto& exp) {
        using E = std::decay_t<decltype(exp)>;
        return is_one_of<E, Atom, PrimOp, Assert, ArrayLit, Index, Concat, Manifest, Iota, Replicate, Scratch, Reshape,
                         Rearrange, GetSize, GetSizeMax, CmpSize, CalcNumBlocks>;
      },
      e);
}

}  // namespace heddle::seg
