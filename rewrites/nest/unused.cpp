#include "rewrites/nest/unused.h"

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

// Buffers made in the block that are only stored to.
NameSet never_read(const Block& block) {
  struct V : Walker<V> {
    NameSet local, read;
    void stmt(const Stmt& s) {
      if (const auto* a = std::get_if<Alloc>(&s->node)) local.insert(a->buffer.name);
      const auto* store = std::get_if<Store>(&s->node);
      if (!store) return Walker<V>::stmt(s);
      for (const Expr& i : store->index) expr(i);
      expr(store->value);
    }
    void use(const Name& n) { read.insert(n); }
  } v;
  v.body(block);
  std::erase_if(v.local, [&](const Name& n) { return v.read.contains(n); });
  return v.local;
}

// Goes through blocks from their end, so that all uses of a name have been seen where it is defined.
class Pruner {
 public:
  explicit Pruner(NameSet never_read) : never_read_(std::move(never_read)) {}

  Block block(const Block& b) {
    Block reversed;
    for (auto s = b.rbegin(); s != b.rend(); ++s) {
      if (Stmt kept = std::visit([&](const auto& node) { return this->stmt(*s, node); }, (*s)->node)) {
        reversed.push_back(std::move(kept));
      }
    }
    return {reversed.rbegin(), reversed.rend()};
  }

  bool changed() const { return changed_; }

 private:
  Stmt drop() {
    changed_ = true;
    return nullptr;
  }

  // What a node binds itself counts, too: no other has that name.
  template <class Node>
  void use_all(const Node& node) {
    struct V : Walker<V> {
      NameSet& used;
      explicit V(NameSet& used) : used(used) {}
      void use(const Name& n) { used.insert(n); }
    } v(used_);
    if constexpr (std::is_same_v<Node, Expr>) {
      v.expr(node);
    } else {
      v.stmt(node);
    }
  }

  // What is not listed below is kept.
  template <class Node>
  Stmt stmt(const Stmt& s, const Node&) {
    use_all(s);
    return s;
  }

  Stmt stmt(const Stmt& s, const Let& let) {
    if (!used_.contains(let.name)) return drop();
    use_all(let.value);
    return s;
  }

  Stmt stmt(const Stmt& s, const Alloc& alloc) {
    if (never_read_.contains(alloc.buffer.name)) return drop();
    use_all(s);
    return s;
  }

  Stmt stmt(const Stmt& s, const Store& store) {
    if (never_read_.contains(store.buffer)) return drop();
    use_all(s);
    return s;
  }

  Stmt stmt(const Stmt&, const For& loop) {
    For out = loop;
    out.body = block(loop.body);
    if (out.body.empty()) return drop();
    use_all(out.extent);
    return nest::stmt(std::move(out));
  }

  Stmt stmt(const Stmt&, const While& loop) {
    While out = loop;
    out.body = block(loop.body);
    use_all(out.condition);
    return nest::stmt(std::move(out));
  }

  Stmt stmt(const Stmt&, const If& branch) {
    If out = branch;
    out.then_body = block(branch.then_body);
    out.else_body = block(branch.else_body);
    if (out.then_body.empty() && out.else_body.empty()) return drop();
    use_all(out.condition);
    return nest::stmt(std::move(out));
  }

  NameSet never_read_;
  NameSet used_;
  bool changed_ = false;
};

}  // namespace

Block without_unused(const Block& block) {
  Block out = block;
  // A Let that goes may have been the last to read a buffer.
  for (bool changed = true; changed;) {
    Pruner pruner(never_read(out));
    out = pruner.block(out);
    changed = pruner.changed();
  }
  return out;
}

}  // namespace heddle::nest
