// Walking and rebuilding host statements, derived from one list of each node's pieces: the only place that knows how nodes
// nest.
//
// pieces(node, v) hands every piece of a node to `v`, in the order in which they are executed: v.expr(Expr), v.body(Block), v.bind(Name)
// for a name bound, and for arrays v.use(Name) where they are read or measured, v.write(Name) where elements are overwritten and
// nothing else happens to them, v.end(Name) where the name ends. The pieces are references into the node, constant if the node is.
#pragma once

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

template <class N, class V>
void pieces(N& n, V& v) {
  using T = std::remove_const_t<N>;
  auto all = [&](auto& exprs) {
    for (auto& e : exprs) v.expr(e);
  };
  auto used = [&](auto& names) {
    for (auto& name : names) v.use(name);
  };
  auto given = [&](auto& value) {
    if (std::holds_alternative<Expr>(value)) {
      v.expr(std::get<Expr>(value));
    } else {
      v.end(std::get<Name>(value));
    }
  };
  if constexpr (std::is_same_v<T, Let>) {
    v.expr(n.value);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Measure> || std::is_same_v<T, Share> || std::is_same_v<T, Rearrange> ||
                       std::is_same_v<T, Manifest> || std::is_same_v<T, Deliver>) {
    v.use(n.array);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Ask>) {
    all(n.args);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, GetParam> || std::is_same_v<T, GetMax>) {
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Compare>) {
    v.expr(n.value);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, ReadElement>) {
    v.use(n.array);
    all(n.index);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Alloc>) {
    all(n.shape);
    if (n.from) v.end(*n.from);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Free>) {
    v.end(n.array);
  } else if constexpr (std::is_same_v<T, Slice>) {
    v.use(n.array);
    for (auto& s : n.subscripts) {
      if (std::holds_alternative<Expr>(s)) {
        v.expr(std::get<Expr>(s));
      } else {
        auto& range = std::get<Range>(s);
        v.expr(range.start);
        v.expr(range.count);
        v.expr(range.stride);
      }
    }
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, FlatSlice>) {
    v.use(n.array);
    v.expr(n.offset);
    all(n.counts);
    all(n.strides);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Broadcast>) {
    v.use(n.array);
    all(n.sizes);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Reshape>) {
    v.use(n.array);
    all(n.shape);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Copy>) {
    v.write(n.to);
    v.use(n.from);
  } else if constexpr (std::is_same_v<T, Pack>) {
    v.write(n.to);
    v.use(n.from);
    all(n.shape);
    all(n.to_strides);
    all(n.from_strides);
  } else if constexpr (std::is_same_v<T, Fill>) {
    v.write(n.array);
    v.expr(n.value);
  } else if constexpr (std::is_same_v<T, Iota>) {
    v.write(n.array);
    v.expr(n.start);
    v.expr(n.step);
  } else if constexpr (std::is_same_v<T, Upload>) {
    v.write(n.array);
    all(n.values);
  } else if constexpr (std::is_same_v<T, WriteElement>) {
    v.write(n.array);
    all(n.index);
    v.expr(n.value);
  } else if constexpr (std::is_same_v<T, Launch> || std::is_same_v<T, LaunchChosen>) {
    all(n.scalars);
    used(n.buffers);
  } else if constexpr (std::is_same_v<T, Record>) {
    for (auto& m : n.members) {
      if (std::holds_alternative<Expr>(m.value)) {
        v.expr(std::get<Expr>(m.value));
      } else if (std::holds_alternative<std::vector<Expr>>(m.value)) {
        all(std::get<std::vector<Expr>>(m.value));
      } else {
        for (auto& r : std::get<Records>(m.value)) pieces(r, v);
      }
    }
  } else if constexpr (std::is_same_v<T, Choose>) {
    for (auto& w : n.ways) {
      v.body(w.asked);
      v.expr(w.guard);
      v.body(w.measured);
      pieces(w.shape, v);
      all(w.sizes);
      all(w.fixed);
      all(w.places);
      v.body(w.body);
    }
    v.body(n.otherwise);
  } else if constexpr (std::is_same_v<T, If>) {
    for (auto& c : n.cases) {
      v.expr(c.condition);
      v.body(c.body);
    }
    v.body(n.otherwise);
    for (auto& r : n.results) v.bind(r.name);
  } else if constexpr (std::is_same_v<T, Loop>) {
    for (auto& p : n.params) given(p.init);
    if (std::holds_alternative<ForEach>(n.form)) {
      v.expr(std::get<ForEach>(n.form).bound);
      v.bind(std::get<ForEach>(n.form).index);
    }
    for (auto& p : n.params) v.bind(p.binder.name);
    if (std::holds_alternative<WhileTrue>(n.form)) v.use(std::get<WhileTrue>(n.form).condition);
    v.body(n.body);
    for (auto& r : n.results) v.bind(r);
  } else if constexpr (std::is_same_v<T, Assert>) {
    v.expr(n.condition);
    all(n.args);
  } else if constexpr (std::is_same_v<T, Check>) {
    v.expr(n.condition);
  } else if constexpr (std::is_same_v<T, Trace>) {
    if (std::holds_alternative<Expr>(n.value)) {
      v.expr(std::get<Expr>(n.value));
    } else {
      v.use(std::get<Name>(n.value));
    }
  } else if constexpr (std::is_same_v<T, Block>) {
    for (auto& s : n.stmts) v.stmt(s);
    for (auto& y : n.yields) given(y);
  } else {
    static_assert(std::is_same_v<T, void>, "traverse.h does not know this node");
  }
}

// Base of visitors that look at everything below a node: override what matters, and call the base to go on downwards.
template <class Derived>
struct Walker {
  void expr(const Expr& e) {
    struct Names : nest::Walker<Names> {
      Derived& v;
      explicit Names(Derived& v) : v(v) {}
      void use(const Name& n) { v.use(n); }
    } names(self());
    names.expr(e);
  }
  void stmt(const Stmt& s) {
    std::visit([&](const auto& node) { pieces(node, self()); }, s->node);
  }
  void body(const Block& b) { pieces(b, self()); }
  void use(const Name&) {}
  void write(const Name& n) { self().use(n); }
  void end(const Name& n) { self().use(n); }
  void bind(const Name&) {}

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

// Calls f(stmt) for every statement of a block, outer ones first.
template <class F>
void for_each_stmt(const Block& block, F f) {
  struct V : Walker<V> {
    F& f;
    explicit V(F& f) : f(f) {}
    void expr(const Expr&) {}
    void stmt(const Stmt& s) {
      f(s);
      Walker<V>::stmt(s);
    }
  } v(f);
  v.body(block);
}
template <class F>
void for_each_stmt(const Program& program, F f) {
  for_each_stmt(program.init, f);
  for (const Function& function : program.functions) for_each_stmt(function.body, f);
}

// Base of visitors that replace what they are given: override expr, block, or the names' functions.
template <class Derived>
struct Rebuilder {
  void expr(Expr&) {}
  void stmt(Stmt& s) {
    auto copy = s->node;
    std::visit([&](auto& node) { pieces(node, self()); }, copy);
    s = host::stmt(std::move(copy));
  }
  void body(Block& b) { pieces(b, self()); }
  void use(Name&) {}
  void write(Name& n) { self().use(n); }
  void end(Name& n) { self().use(n); }
  void bind(Name&) {}

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

// The names used in a statement or block and not bound in it.
nest::NameSet free_names(const Stmt& s);
nest::NameSet free_names(const Block& b);

// One more than the largest tag among the names of functions and constants.
int next_tag(const Program& program);

// Takes an array's name for another's, wherever it is mentioned.
using Renaming = std::unordered_map<Name, Name>;
Block rename(const Renaming& renaming, Block block);

}  // namespace heddle::host
