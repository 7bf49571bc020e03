#include "ir/seg/has_checks.h"

#include "ir/seg/traverse.h"

namespace heddle::seg {

bool has_checks(const Stms& stms) {
  struct Find {
    bool found = false;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const BodyPtr& b) {
      found = found || has_checks(b->stms);
      return false;
    }
    bool enter(const KernelBodyPtr& b) {
      found = found || has_checks(b->stms);
      return false;
    }
  };
  Find find;
  for (const StmPtr& s : stms) {
    find.found = find.found || std::holds_alternative<Assert>(s->exp);
    walk(find, s->exp);
  }
  return find.found;
}

}  // namespace heddle::seg
