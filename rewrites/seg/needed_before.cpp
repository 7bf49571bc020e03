#include "rewrites/seg/needed_before.h"

#include "rewrites/seg/needed_stms.h"

namespace heddle::seg {

namespace {

// All names on which the value depends, as far as the lambda's statements tell.
NameSet dependencies(const Lambda& lambda, const SubExpRes& value) {
  NameSet needed = free_names(value);
  needed_stms(lambda.body->stms, needed);
  return needed;
}

}  // namespace

std::vector<bool> needed_before(const SegOp& op, std::vector<bool> wanted) {
  size_t first = 0;
  for (const SegBinOp& o : op.ops) {
    const size_t n = o.neutral.size();
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = 0; k < n; ++k) {
        if (!wanted[first + k]) continue;
        const NameSet needed = dependencies(o.lambda, o.lambda.body->result[k]);
        for (size_t before = 0; before < n; ++before) {
          if (wanted[first + before] || !needed.contains(o.lambda.params[before].name)) continue;
          wanted[first + before] = true;
          changed = true;
        }
      }
    }
    first += n;
  }
  return wanted;
}

}  // namespace heddle::seg
