#include "rewrites/recipes/team_ops.h"

#include "ir/seg/traverse.h"

namespace heddle::lower {

std::vector<const seg::SegOp*> team_ops(const seg::Stms& stms) {
  struct Ops {
    std::vector<const seg::SegOp*> found;
    void use(const Name&) {}
    void bind(const Name&) {}
    void stms(const seg::Stms& stms) {
      for (const seg::StmPtr& s : stms) {
        if (const auto* op = std::get_if<seg::SegOp>(&s->exp)) found.push_back(op);
        seg::walk(*this, s->exp);
      }
    }
    bool enter(const seg::BodyPtr& b) {
      stms(b->stms);
      return false;
    }
    bool enter(const seg::KernelBodyPtr&) { return false; }
  } ops;
  ops.stms(stms);
  return std::move(ops.found);
}

}  // namespace heddle::lower
