// The statements that some of a body's names are computed from.
#pragma once

#include <algorithm>

#include "ir/seg/traverse.h"

namespace heddle::seg {

inline bool binds_any(const Stm& s, const NameSet& names) {
  return std::any_of(s.pat.begin(), s.pat.end(), [&](const PatElem& p) { return names.contains(p.name); });
}

// Those of `stms` that bind a name in `needed` or what such a one uses, in their order. Afterwards `needed` holds the
// names that these use, too.
inline Stms needed_stms(const Stms& stms, NameSet& needed) {
  Stms out;
  for (auto s = stms.rbegin(); s != stms.rend(); ++s) {
    if (!binds_any(**s, needed)) continue;
    needed.merge(free_names(**s));
    out.push_back(*s);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace heddle::seg
