#include "codegen/host/unneeded.h"

#include "codegen/host/lifetimes.h"
#include "ir/seg/traverse.h"

namespace heddle::codegen::host {

namespace {

bool only_computes_scalars(const seg::Stm& s) {
  for (const seg::PatElem& p : s.pat) {
    if (!p.type.is_scalar() || p.type.elem == prim::Type::Unit) return false;
  }
  if (const auto* op = std::get_if<seg::PrimOp>(&s.exp)) return !prim::can_fail(op->op);
  return std::holds_alternative<seg::Atom>(s.exp) || std::holds_alternative<seg::GetSize>(s.exp) ||
         std::holds_alternative<seg::GetSizeMax>(s.exp) || std::holds_alternative<seg::CmpSize>(s.exp) ||
         std::holds_alternative<seg::CalcNumBlocks>(s.exp);
}

// Goes through a function's statements from the last to the first, so that all uses of a name are seen before its
// definition.
class Search {
 public:
  explicit Search(const lower::LoweredProgram& program) : program_(program) {}

  void use(const Name& n) { needed_.insert(n); }
  void bind(const Name&) {}
  bool enter(const seg::KernelBodyPtr&) { return false; }
  bool enter(const seg::BodyPtr& body) {
    seg::walk(*this, body->result);
    for (auto s = body->stms.rbegin(); s != body->stms.rend(); ++s) statement(**s);
    return false;
  }

  std::unordered_set<const seg::Stm*> unneeded;

 private:
  void statement(const seg::Stm& s) {
    bool needed = !only_computes_scalars(s);
    for (const seg::PatElem& p : s.pat) needed |= needed_.contains(p.name);
    if (!needed) {
      unneeded.insert(&s);
      return;
    }
    // What kernels need, their launches say.
    if (program_.kernels.contains(&s)) needed_.merge(uses(program_, s));
    seg::walk(*this, s);
  }

  const lower::LoweredProgram& program_;
  seg::NameSet needed_;
};

}  // namespace

std::unordered_set<const seg::Stm*> unneeded_scalars(const lower::LoweredProgram& program) {
  std::unordered_set<const seg::Stm*> unneeded;
  for (const seg::FunDef& f : program.program.functions) {
    Search search(program);
    seg::walk(search, f.ret);
    search.enter(f.body);
    unneeded.merge(search.unneeded);
  }
  return unneeded;
}

}  // namespace heddle::codegen::host
