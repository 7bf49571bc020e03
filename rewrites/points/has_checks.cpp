#include "rewrites/points/has_checks.h"

#include "ir/seg/traverse.h"

namespace heddle::lower {

bool has_checks(const seg::Stms& stms) {
  struct Find {
    bool found = false;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const seg::BodyPtr& b) {
      found = found || has_checks(b->stms);
      return false;
    }
    bool enter(const seg::KernelBodyPtr& b) {
      found = found || has_checks(b->stms);
      return false;
    }
  };
  Find find;
  for (const seg::StmPtr& s : stms) {
    find.found = find.found || std::holds_alternative<seg::Assert>(s->exp);
    seg::walk(find, s->exp);
  }
  return find.found;
}

}  // namespace heddle::lower
