// One of the host's versions of an operation instead of the choice between them.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

//   let {y} = if <equiv> c then { stms in {r} } else ...     becomes, for the body of the first,     stms let {y} = r
inline Stms version_in_place(const Stm& choice, const Body& version) {
  Stms result = version.stms;
  for (size_t k = 0; k < choice.pat.size(); ++k) {
    const SubExpRes& r = version.result[k];
    result.push_back(
        std::make_shared<const Stm>(Stm{{choice.pat[k]}, choice.attrs, r.certs, Atom{r.value}, choice.position}));
  }
  return result;
}

}  // namespace heddle::seg
