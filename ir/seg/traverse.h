// Walking and rebuilding seg programs, derived from each node's list of fields: traverse.cpp is the only place that knows how nodes
// nest, and is compiled once for all visitors, not by each that has one.
//
//   walk(visitor, node)      calls visitor.use(name) for every name used, visitor.bind(name) for every name bound, in
//                            textual order (parameters before bodies). A visitor may also have
//                            enter(body_ptr) -> bool for BodyPtr and KernelBodyPtr: false skips the body.
//   rebuild(rebuilder, node) returns a copy in which every use is replaced by rebuilder.use(SubExp) (for names that
//                            must stay names: use_name(Name)) and every binder by rebuilder.bind(Name). Bodies go
//                            through rebuilder.body(BodyPtr) / body(KernelBodyPtr) where the rebuilder has them, and
//                            operators of accumulators, which run inside kernels, through rebuilder.with_acc_op.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// ---- Of any visitor. ----

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void use(const Name& n) = 0;
  virtual void bind(const Name& n) = 0;
  virtual bool enter(const BodyPtr&) { return true; }
  virtual bool enter(const KernelBodyPtr&) { return true; }
};
// For what traverse.cpp lists: whoever walks over something else adds it there.
template <class T>
void walk_node(Visitor& v, const T& x);

class Rebuilder {
 public:
  virtual ~Rebuilder() = default;
  virtual SubExp use(const SubExp& x) = 0;
  virtual Name use_name(const Name& n) = 0;
  virtual Name bind(const Name& n) = 0;
  virtual BodyPtr body(const BodyPtr& b);
  virtual KernelBodyPtr body(const KernelBodyPtr& b);
  virtual WithAccOp with_acc_op(const WithAccOp& op);
};
template <class T>
T rebuild_node(Rebuilder& r, const T& x);

namespace detail {

template <class V>
class VisitorOf final : public Visitor {
 public:
  explicit VisitorOf(V& v) : v_(v) {}
  void use(const Name& n) override { v_.use(n); }
  void bind(const Name& n) override { v_.bind(n); }
  bool enter(const BodyPtr& b) override { return may_enter(b); }
  bool enter(const KernelBodyPtr& b) override { return may_enter(b); }

 private:
  template <class B>
  bool may_enter(const B& b) {
    if constexpr (requires { v_.enter(b); }) return v_.enter(b);
    return true;
  }

  V& v_;
};

template <class R>
class RebuilderOf final : public Rebuilder {
 public:
  explicit RebuilderOf(R& r) : r_(r) {}
  SubExp use(const SubExp& x) override { return r_.use(x); }
  Name use_name(const Name& n) override { return r_.use_name(n); }
  Name bind(const Name& n) override { return r_.bind(n); }
  BodyPtr body(const BodyPtr& b) override { return body_of(b); }
  KernelBodyPtr body(const KernelBodyPtr& b) override { return body_of(b); }
  WithAccOp with_acc_op(const WithAccOp& op) override {
    if constexpr (requires { r_.with_acc_op(op); }) return r_.with_acc_op(op);
    return Rebuilder::with_acc_op(op);
  }

 private:
  template <class B>
  B body_of(const B& b) {
    if constexpr (requires { r_.body(b); }) return r_.body(b);
    return Rebuilder::body(b);
  }

  R& r_;
};

}  // namespace detail

template <class V, class T>
void walk(V& v, const T& x) {
  detail::VisitorOf<V> visitor(v);
  walk_node(visitor, x);
}

template <class R, class T>
T rebuild(R& r, const T& x) {
  detail::RebuilderOf<R> rebuilder(r);
  return rebuild_node(rebuilder, x);
}

// ---- What most passes need of it. ----

using NameSet = std::unordered_set<Name>;
using Substitution = std::unordered_map<Name, SubExp>;

namespace detail {

class CollectNames final : public Visitor {
 public:
  void use(const Name& n) override { used_.insert(n); }
  void bind(const Name& n) override { bound_.insert(n); }
  NameSet free() &&;

 private:
  NameSet used_, bound_;
};

class Replace : public Rebuilder {
 public:
  explicit Replace(const Substitution& s) : s_(s) {}
  SubExp use(const SubExp& x) override;
  Name use_name(const Name& n) override;
  Name bind(const Name& n) override { return n; }

 private:
  const Substitution& s_;
};

class Rename final : public Replace {
 public:
  Rename(NameSource& names, Substitution& s) : Replace(s), names_(names), into_(s) {}
  Name bind(const Name& n) override;

 private:
  NameSource& names_;
  Substitution& into_;
};

}  // namespace detail

// The names used in `node` and not bound in it.
template <class T>
NameSet free_names(const T& node) {
  detail::CollectNames c;
  walk_node(c, node);
  return std::move(c).free();
}

// Replaces free uses. A name in a position that only takes names must be replaced by a name.
template <class T>
T substitute(const Substitution& s, const T& node) {
  detail::Replace r(s);
  return rebuild_node(r, node);
}

// Gives every name bound in `node` a fresh tag; `s` replaces free uses on the way and afterwards maps old binders to
// new.
template <class T>
T rename(NameSource& names, Substitution& s, const T& node) {
  detail::Rename r(names, s);
  return rebuild_node(r, node);
}
// A copy all of whose names are new.
template <class T>
T fresh(const T& node, NameSource& names) {
  Substitution substitution;
  return rename(names, substitution, node);
}

}  // namespace heddle::seg
