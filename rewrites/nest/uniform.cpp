#include "rewrites/nest/uniform.h"

namespace heddle::nest {

// Optimistic: what registers hold is the same until a store says otherwise, and then all is looked at again.
Uniform::Uniform(const Block& work, NameSet names, NameSet only_read)
    : given_(std::move(names)), only_read_(std::move(only_read)) {
  for_each_stmt(work, [&](const Stmt& s) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    if (alloc && alloc->buffer.space == Space::Register) registers_.insert(alloc->buffer.name);
  });
  while (again_) {
    again_ = false;
    names_ = given_;
    learn(work, true);
  }
}

bool Uniform::has(const Expr& e) const {
  bool same = true;
  for_each_expr(e, [&](const Expr& x) {
    if (const auto* v = std::get_if<Var>(&x->node)) same = same && names_.contains(v->name);
    const auto* load = std::get_if<Load>(&x->node);
    if (!load) return;
    bool held = registers_.contains(load->buffer) && !varying_.contains(load->buffer);
    same = same && (held || only_read_.contains(load->buffer));
  });
  return same;
}

void Uniform::vary(const Name& buffer) { again_ |= varying_.insert(buffer).second; }

void Uniform::learn(const Block& work, bool together) {
  for (const Stmt& s : work) {
    if (const auto* let = std::get_if<Let>(&s->node)) {
      if (has(let->value)) names_.insert(let->name);
    } else if (const auto* store = std::get_if<Store>(&s->node)) {
      bool same = together && has(store->value);
      for (const Expr& i : store->index) same = same && has(i);
      if (!same) vary(store->buffer);
    } else if (const auto* branch = std::get_if<If>(&s->node)) {
      bool same = together && has(branch->condition);
      learn(branch->then_body, same);
      learn(branch->else_body, same);
    } else if (const auto* loop = std::get_if<For>(&s->node)) {
      bool same = together && has(loop->extent);
      if (same) names_.insert(loop->index);
      learn(loop->body, same);
    } else if (const auto* repeated = std::get_if<While>(&s->node)) {
      learn(repeated->body, together && has(repeated->condition));
    } else if (const auto* update = std::get_if<AtomicUpdate>(&s->node)) {
      learn(update->compute, false);
    }
  }
}

}  // namespace heddle::nest
