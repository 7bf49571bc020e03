// Walking and rebuilding seg programs, derived from each node's list of fields: the only place that knows how nodes
// nest.
//
//   walk(visitor, node)      calls visitor.use(name) for every name used, visitor.bind(name) for every name bound, in
//                            textual order (parameters before bodies). A visitor may also have
//                            enter(body_ptr) -> bool for BodyPtr and KernelBodyPtr: false skips the body.
//   rebuild(rebuilder, node) returns a copy in which every use is replaced by rebuilder.use(SubExp) (for names that
//                            must stay names: use_name(Name)) and every binder by rebuilder.bind(Name). Bodies go
//                            through rebuilder.body(BodyPtr) / body(KernelBodyPtr) where the rebuilder has them, and
//                            operators of accumulators, which run inside kernels, through rebuilder.with_acc_op.
#pragma once

#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "ir/seg/syntax.h"

namespace heddle::seg {

namespace detail {

template <class T>
concept HasFields = requires {
  T::fields;
};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

// Things that contain no names.
template <class T>
constexpr bool is_leaf = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string> ||
                         std::is_same_v<T, prim::Op> || std::is_same_v<T, prim::Value> || std::is_same_v<T, Attr> ||
                         std::is_same_v<T, SizeClass> || std::is_same_v<T, Ext> || std::is_same_v<T, Position>;

}  // namespace detail

// ---- walk ----

template <class V, class T>
void walk(V& v, const T& x) {
  if constexpr (std::is_same_v<T, Name>) {
    v.use(x);
  } else if constexpr (std::is_same_v<T, SubExp>) {
    if (x.is_var()) v.use(x.name());
  } else if constexpr (std::is_same_v<T, Dim>) {
    if (!x.is_ext()) walk(v, x.size());
  } else if constexpr (std::is_same_v<T, Type>) {
    walk(v, x.dims);
    if (x.acc) {
      walk(v, x.acc->cert);
      walk(v, x.acc->space);
      walk(v, x.acc->elems);
    }
  } else if constexpr (std::is_same_v<T, Param> || std::is_same_v<T, PatElem>) {
    walk(v, x.type);
    v.bind(x.name);
  } else if constexpr (std::is_same_v<T, ForLoop>) {
    walk(v, x.bound);
    v.bind(x.index);
  } else if constexpr (std::is_same_v<T, SegSpace>) {
    for (const SegDim& d : x.dims) walk(v, d.size);
    for (const SegDim& d : x.dims) v.bind(d.index);
    v.bind(x.flat);
  } else if constexpr (std::is_same_v<T, Lambda>) {
    walk(v, x.params);
    walk(v, x.ret);
    walk(v, x.body);
  } else if constexpr (std::is_same_v<T, Loop>) {
    walk(v, x.inits);
    walk(v, x.params);
    walk(v, x.form);
    walk(v, x.body);
  } else if constexpr (std::is_same_v<T, SegOp>) {
    walk(v, x.level);
    walk(v, x.space);
    walk(v, x.ops);
    walk(v, x.hists);
    walk(v, x.types);
    walk(v, x.body);
  } else if constexpr (std::is_same_v<T, BodyPtr> || std::is_same_v<T, KernelBodyPtr>) {
    if constexpr (requires { v.enter(x); }) {
      if (!v.enter(x)) return;
    }
    walk(v, *x);
  } else if constexpr (std::is_same_v<T, Body>) {
    walk(v, x.stms);
    walk(v, x.result);
  } else if constexpr (std::is_same_v<T, KernelBody>) {
    walk(v, x.stms);
    walk(v, x.results);
  } else if constexpr (std::is_same_v<T, StmPtr>) {
    walk(v, *x);
  } else if constexpr (std::is_same_v<T, Stm>) {
    walk(v, x.certs);
    walk(v, x.exp);
    walk(v, x.pat);
  } else if constexpr (detail::HasFields<T>) {
    std::apply([&](auto... field) { (walk(v, x.*field), ...); }, T::fields);
  } else if constexpr (detail::IsVector<T>::value) {
    for (const auto& e : x) walk(v, e);
  } else if constexpr (detail::IsOptional<T>::value) {
    if (x) walk(v, *x);
  } else if constexpr (detail::IsVariant<T>::value) {
    std::visit([&](const auto& alternative) { walk(v, alternative); }, x);
  } else {
    static_assert(detail::is_leaf<T>, "traverse.h does not know this type");
  }
}

// ---- rebuild ----

template <class R, class T>
T rebuild(R& r, const T& x) {
  if constexpr (std::is_same_v<T, Name>) {
    return r.use_name(x);
  } else if constexpr (std::is_same_v<T, SubExp>) {
    return r.use(x);
  } else if constexpr (std::is_same_v<T, Dim>) {
    return x.is_ext() ? x : Dim(rebuild(r, x.size()));
  } else if constexpr (std::is_same_v<T, Type>) {
    Type t = x;
    t.dims = rebuild(r, x.dims);
    if (x.acc) {
      t.acc = std::make_shared<const AccType>(
          AccType{rebuild(r, x.acc->cert), rebuild(r, x.acc->space), rebuild(r, x.acc->elems)});
    }
    return t;
  } else if constexpr (std::is_same_v<T, Param>) {
    Type type = rebuild(r, x.type);
    return Param{x.attrs, r.bind(x.name), std::move(type)};
  } else if constexpr (std::is_same_v<T, PatElem>) {
    Type type = rebuild(r, x.type);
    return PatElem{r.bind(x.name), std::move(type)};
  } else if constexpr (std::is_same_v<T, ForLoop>) {
    SubExp bound = rebuild(r, x.bound);
    return ForLoop{r.bind(x.index), x.index_type, std::move(bound)};
  } else if constexpr (std::is_same_v<T, SegSpace>) {
    SegSpace s = x;
    for (SegDim& d : s.dims) d.size = rebuild(r, d.size);
    for (SegDim& d : s.dims) d.index = r.bind(d.index);
    s.flat = r.bind(s.flat);
    return s;
  } else if constexpr (std::is_same_v<T, Lambda>) {
    Lambda l;
    l.params = rebuild(r, x.params);
    l.ret = rebuild(r, x.ret);
    l.body = rebuild(r, x.body);
    return l;
  } else if constexpr (std::is_same_v<T, Loop>) {
    Loop l;
    l.inits = rebuild(r, x.inits);
    l.params = rebuild(r, x.params);
    l.form = rebuild(r, x.form);
    l.body = rebuild(r, x.body);
    return l;
  } else if constexpr (std::is_same_v<T, SegOp>) {
    SegOp s;
    s.kind = x.kind;
    s.level = rebuild(r, x.level);
    s.space = rebuild(r, x.space);
    s.ops = rebuild(r, x.ops);
    s.hists = rebuild(r, x.hists);
    s.types = rebuild(r, x.types);
    s.body = rebuild(r, x.body);
    return s;
  } else if constexpr (std::is_same_v<T, WithAccOp>) {
    if constexpr (requires { r.with_acc_op(x); }) return r.with_acc_op(x);
    return WithAccOp{rebuild(r, x.op), rebuild(r, x.neutral)};
  } else if constexpr (std::is_same_v<T, BodyPtr>) {
    if constexpr (requires { r.body(x); }) return r.body(x);
    return std::make_shared<const Body>(rebuild(r, *x));
  } else if constexpr (std::is_same_v<T, KernelBodyPtr>) {
    if constexpr (requires { r.body(x); }) return r.body(x);
    return std::make_shared<const KernelBody>(rebuild(r, *x));
  } else if constexpr (std::is_same_v<T, Body>) {
    Body b;
    b.stms = rebuild(r, x.stms);
    b.result = rebuild(r, x.result);
    return b;
  } else if constexpr (std::is_same_v<T, KernelBody>) {
    KernelBody b;
    b.stms = rebuild(r, x.stms);
    b.results = rebuild(r, x.results);
    return b;
  } else if constexpr (std::is_same_v<T, StmPtr>) {
    return std::make_shared<const Stm>(rebuild(r, *x));
  } else if constexpr (std::is_same_v<T, Stm>) {
    Stm s;
    s.attrs = x.attrs;
    s.position = x.position;
    s.certs = rebuild(r, x.certs);
    s.exp = rebuild(r, x.exp);
    s.pat = rebuild(r, x.pat);
    return s;
  } else if constexpr (detail::HasFields<T>) {
    T copy = x;
    std::apply([&](auto... field) { ((copy.*field = rebuild(r, x.*field)), ...); }, T::fields);
    return copy;
  } else if constexpr (detail::IsVector<T>::value) {
    T copy;
    copy.reserve(x.size());
    for (const auto& e : x) copy.push_back(rebuild(r, e));
    return copy;
  } else if constexpr (detail::IsOptional<T>::value) {
    return x ? T(rebuild(r, *x)) : T();
  } else if constexpr (detail::IsVariant<T>::value) {
    return std::visit([&](const auto& alternative) { return T(rebuild(r, alternative)); }, x);
  } else {
    static_assert(detail::is_leaf<T>, "traverse.h does not know this type");
    return x;
  }
}

// ---- What most passes need of it. ----

using NameSet = std::unordered_set<Name>;
using Substitution = std::unordered_map<Name, SubExp>;

// The names used in `node` and not bound in it.
template <class T>
NameSet free_names(const T& node) {
  struct Collect {
    NameSet used, bound;
    void use(const Name& n) { used.insert(n); }
    void bind(const Name& n) { bound.insert(n); }
  } c;
  walk(c, node);
  std::erase_if(c.used, [&](const Name& n) { return c.bound.contains(n); });
  return std::move(c.used);
}

// Replaces free uses. A name in a position that only takes names must be replaced by a name.
template <class T>
T substitute(const Substitution& s, const T& node) {
  struct Replace {
    const Substitution& s;
    SubExp use(const SubExp& x) {
      if (!x.is_var()) return x;
      auto it = s.find(x.name());
      return it == s.end() ? x : it->second;
    }
    Name use_name(const Name& n) {
      auto it = s.find(n);
      return it == s.end() ? n : it->second.name();
    }
    Name bind(const Name& n) { return n; }
  } r{s};
  return rebuild(r, node);
}

// Gives every name bound in `node` a fresh tag; `s` replaces free uses on the way and afterwards maps old binders to
// new.
template <class T>
T rename(NameSource& names, Substitution& s, const T& node) {
  struct Rename {
    NameSource& names;
    Substitution& s;
    SubExp use(const SubExp& x) {
      if (!x.is_var()) return x;
      auto it = s.find(x.name());
      return it == s.end() ? x : it->second;
    }
    Name use_name(const Name& n) {
      auto it = s.find(n);
      return it == s.end() ? n : it->second.name();
    }
    Name bind(const Name& n) {
      Name fresh = names.fresh(n);
      s.insert_or_assign(n, SubExp(fresh));
      return fresh;
    }
  } r{names, s};
  return rebuild(r, node);
}

}  // namespace heddle::seg
