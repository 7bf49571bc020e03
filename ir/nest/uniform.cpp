#include "ir/nest/uniform.h"

#include <algorithm>

namespace heddle::nest {

namespace {

// One pass over a kernel that adds to what varies. Repeated until nothing is added, as loops carry values backwards.
struct Pass : Walker<Pass> {
  Varying& v;
  Scope scope;
  bool control = false;  // whether the threads may disagree about being here
  bool changed = false;
  NameSet registers;

  Pass(Varying& v, Scope scope) : v(v), scope(scope) {}

  void expr(const Expr&) {}

  void mark(const Name& name, bool varies) { changed |= varies && v.names.insert(name).second; }

  void under(bool varies, const Block& b) {
    bool outside = control;
    control |= varies;
    body(b);
    control = outside;
  }

  bool starts_varying(Role role) const {
    return role == Role::Block || role == Role::Lane || (role == Role::Warp && scope == Scope::Block);
  }

  void visit(const Let& s) { mark(s.name, v.depends(s.value)); }
  void visit(const Alloc& s) {
    if (s.buffer.space == Space::Register) registers.insert(s.buffer.name);
  }
  void visit(const Store& s) {
    if (!registers.contains(s.buffer)) return;
    mark(s.buffer,
         control || v.depends(s.value) || std::ranges::any_of(s.index, [&](const Expr& e) { return v.depends(e); }));
  }
  void visit(const For& s) {
    bool varies = v.depends(s.extent);
    mark(s.index, varies || starts_varying(s.role));
    under(varies, s.body);
  }
  void visit(const While& s) { under(v.depends(s.condition), s.body); }
  void visit(const If& s) {
    bool varies = v.depends(s.condition);
    under(varies, s.then_body);
    under(varies, s.else_body);
  }
  void visit(const AtomicUpdate& s) {
    changed |= v.atomics.insert(s.buffer).second;
    mark(s.old, true);
    body(s.compute);
  }
  void visit(const Locked& s) {
    for_each_stmt(s.body, [&](const Stmt& inner) {
      const auto* store = std::get_if<Store>(&inner->node);
      if (store && !registers.contains(store->buffer)) changed |= v.atomics.insert(store->buffer).second;
    });
    under(true, s.body);
  }
  void visit(const AsyncCopy&) {}
  void visit(const AsyncCommit&) {}
  void visit(const AsyncWait&) {}
  void visit(const Barrier&) {}
  void visit(const Shuffle& s) { mark(s.name, true); }
  void visit(const Fail&) {}

  void stmt(const Stmt& s) {
    std::visit([&](const auto& node) { visit(node); }, s->node);
  }
};

}  // namespace

bool Varying::depends(const Expr& e) const {
  bool found = false;
  for_each_expr(e, [&](const Expr& x) {
    if (const auto* var = std::get_if<Var>(&x->node)) found |= names.contains(var->name);
    if (const auto* l = std::get_if<Load>(&x->node)) found |= names.contains(l->buffer) || atomics.contains(l->buffer);
  });
  return found;
}

Varying varying(const Kernel& kernel, Scope scope) {
  Varying v;
  bool changed = true;
  while (changed) {
    Pass pass(v, scope);
    pass.body(kernel.body);
    changed = pass.changed;
  }
  return v;
}

}  // namespace heddle::nest
