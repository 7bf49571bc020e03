// Walking and rebuilding nests, derived from one list of each node's parts: the only place that knows how nodes nest.
//
// parts(node, v) hands every part of a node to `v`, in textual order: v.expr(Expr), v.body(Block), v.buffer(Buffer),
// v.use(Name) for a name used (the buffer of an access, too) and v.bind(name) for a name bound. The parts are
// references into the node, constant if the node is, so that the same list serves both for reading and for rebuilding a
// copy.
#pragma once

#include <functional>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "ir/nest/nest.h"

namespace heddle::nest {

template <class N, class V>
void parts(N& n, V& v) {
  using T = std::remove_const_t<N>;
  auto all = [&](auto& exprs) {
    for (auto& e : exprs) v.expr(e);
  };
  if constexpr (std::is_same_v<T, Const> || std::is_same_v<T, Barrier> || std::is_same_v<T, AsyncCommit>) {
  } else if constexpr (std::is_same_v<T, Var>) {
    v.use(n.name);
  } else if constexpr (std::is_same_v<T, Operation> || std::is_same_v<T, Call> || std::is_same_v<T, Fail>) {
    all(n.args);
  } else if constexpr (std::is_same_v<T, Select>) {
    v.expr(n.condition);
    v.expr(n.if_true);
    v.expr(n.if_false);
  } else if constexpr (std::is_same_v<T, Load>) {
    v.use(n.buffer);
    all(n.index);
  } else if constexpr (std::is_same_v<T, Let>) {
    v.expr(n.value);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Shuffle>) {
    v.expr(n.value);
    v.expr(n.lane);
    v.bind(n.name);
  } else if constexpr (std::is_same_v<T, Alloc>) {
    v.buffer(n.buffer);
  } else if constexpr (std::is_same_v<T, Store>) {
    v.use(n.buffer);
    all(n.index);
    v.expr(n.value);
  } else if constexpr (std::is_same_v<T, For>) {
    v.expr(n.extent);
    v.bind(n.index);
    v.body(n.body);
  } else if constexpr (std::is_same_v<T, While>) {
    v.expr(n.condition);
    v.body(n.body);
  } else if constexpr (std::is_same_v<T, If>) {
    v.expr(n.condition);
    v.body(n.then_body);
    v.body(n.else_body);
  } else if constexpr (std::is_same_v<T, AtomicUpdate>) {
    v.use(n.buffer);
    all(n.index);
    v.bind(n.old);
    v.body(n.compute);
    v.expr(n.value);
  } else if constexpr (std::is_same_v<T, Locked>) {
    v.use(n.lock);
    all(n.index);
    v.body(n.body);
  } else if constexpr (std::is_same_v<T, AsyncCopy>) {
    v.use(n.to);
    all(n.to_index);
    v.use(n.from);
    all(n.from_index);
    v.expr(n.elems);
    v.expr(n.valid);
  } else if constexpr (std::is_same_v<T, AsyncWait>) {
    v.expr(n.pending);
  } else if constexpr (std::is_same_v<T, Buffer>) {
    all(n.dims);
    all(n.strides);
    v.bind(n.name);
  } else {
    static_assert(std::is_same_v<T, void>, "traverse.h does not know this node");
  }
}

// ---- Walking. ----

// Base of visitors that look at everything below a node: override what matters, and call the base to go on downwards.
template <class Derived>
struct Walker {
  void expr(const Expr& e) {
    std::visit([&](const auto& node) { parts(node, self()); }, e->node);
  }
  void stmt(const Stmt& s) {
    std::visit([&](const auto& node) { parts(node, self()); }, s->node);
  }
  void body(const Block& b) {
    for (const Stmt& s : b) self().stmt(s);
  }
  void buffer(const Buffer& b) { parts(b, self()); }
  void use(const Name&) {}
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

// Calls f(expr) for every expression of a block or expression, outer ones first.
template <class Node, class F>
void for_each_expr(const Node& node, F f) {
  struct V : Walker<V> {
    F& f;
    explicit V(F& f) : f(f) {}
    void expr(const Expr& e) {
      f(e);
      Walker<V>::expr(e);
    }
  } v(f);
  if constexpr (std::is_same_v<Node, Expr>) {
    v.expr(node);
  } else {
    v.body(node);
  }
}

// ---- Rebuilding. ----

// Makes a copy of a node's parts through the same functions that made it, so that what became constant is folded.
Expr remake(const Expr& original, decltype(ExprNode::node) node);

// Base of visitors that replace what they are given: override expr, stmts (which replaces one statement by any number),
// use or bind. Untouched expressions stay the same nodes.
template <class Derived>
struct Rebuilder {
  void expr(Expr& e) {
    auto copy = e->node;
    std::visit([&](auto& node) { parts(node, self()); }, copy);
    e = remake(e, std::move(copy));
  }
  void stmts(const Stmt& s, Block& out) {
    auto copy = s->node;
    std::visit([&](auto& node) { parts(node, self()); }, copy);
    out.push_back(nest::stmt(std::move(copy)));
  }
  void body(Block& b) {
    Block out;
    for (const Stmt& s : b) self().stmts(s, out);
    b = std::move(out);
  }
  void buffer(Buffer& b) { parts(b, self()); }
  void use(Name&) {}
  void bind(Name&) {}

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

// ---- What most passes need of it. ----

using NameSet = std::unordered_set<Name>;
using Substitution = std::unordered_map<Name, Expr>;

// The names used in a node (variables and buffers) and not bound in it.
NameSet free_names(const Expr& e);
NameSet free_names(const Block& block);

// The names bound in the block, wherever in it.
NameSet bound_in(const Block& block);

// Replaces variables. A buffer's name is replaced where the substitution maps it to a variable.
Expr substitute(const Substitution& s, const Expr& e);
Block substitute(const Substitution& s, const Block& block);
// In the body, sizes and bounds; the lists of parameters stay.
Kernel substitute(const Substitution& s, const Kernel& kernel);
// The kernel for these values of its constants, and the others left.
Kernel instantiate(const Kernel& kernel, const std::unordered_map<Name, int64_t>& values);

}  // namespace heddle::nest
