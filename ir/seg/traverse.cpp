#include "ir/seg/traverse.h"

#include <memory>
#include <optional>
#include <type_traits>

namespace heddle::seg {

namespace {

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

}  // namespace

// ---- walk ----

template <class T>
void walk_node(Visitor& v, const T& x) {
  if constexpr (std::is_same_v<T, Name>) {
    v.use(x);
  } else if constexpr (std::is_same_v<T, SubExp>) {
    if (x.is_var()) v.use(x.name());
  } else if constexpr (std::is_same_v<T, Dim>) {
    if (!x.is_ext()) walk_node(v, x.size());
  } else if constexpr (std::is_same_v<T, Type>) {
    walk_node(v, x.dims);
    if (x.acc) {
      walk_node(v, x.acc->cert);
      walk_node(v, x.acc->space);
      walk_node(v, x.acc->elems);
    }
  } else if constexpr (std::is_same_v<T, Param> || std::is_same_v<T, PatElem>) {
    walk_node(v, x.type);
    v.bind(x.name);
  } else if constexpr (std::is_same_v<T, ForLoop>) {
    walk_node(v, x.bound);
    v.bind(x.index);
  } else if constexpr (std::is_same_v<T, SegSpace>) {
    for (const SegDim& d : x.dims) walk_node(v, d.size);
    for (const SegDim& d : x.dims) v.bind(d.index);
    v.bind(x.flat);
  } else if constexpr (std::is_same_v<T, Lambda>) {
    walk_node(v, x.params);
    walk_node(v, x.ret);
    walk_node(v, x.body);
  } else if constexpr (std::is_same_v<T, Loop>) {
    walk_node(v, x.inits);
    walk_node(v, x.params);
    walk_node(v, x.form);
    walk_node(v, x.body);
  } else if constexpr (std::is_same_v<T, SegOp>) {
    walk_node(v, x.level);
    walk_node(v, x.space);
    walk_node(v, x.ops);
    walk_node(v, x.hists);
    walk_node(v, x.types);
    walk_node(v, x.body);
  } else if constexpr (std::is_same_v<T, BodyPtr> || std::is_same_v<T, KernelBodyPtr>) {
    if (!v.enter(x)) return;
    walk_node(v, *x);
  } else if constexpr (std::is_same_v<T, Body>) {
    walk_node(v, x.stms);
    walk_node(v, x.result);
  } else if constexpr (std::is_same_v<T, KernelBody>) {
    walk_node(v, x.stms);
    walk_node(v, x.results);
  } else if constexpr (std::is_same_v<T, StmPtr>) {
    walk_node(v, *x);
  } else if constexpr (std::is_same_v<T, Stm>) {
    walk_node(v, x.certs);
    walk_node(v, x.exp);
    walk_node(v, x.pat);
  } else if constexpr (HasFields<T>) {
    std::apply([&](auto... field) { (walk_node(v, x.*field), ...); }, T::fields);
  } else if constexpr (IsVector<T>::value) {
    for (const auto& e : x) walk_node(v, e);
  } else if constexpr (IsOptional<T>::value) {
    if (x) walk_node(v, *x);
  } else if constexpr (IsVariant<T>::value) {
    std::visit([&](const auto& alternative) { walk_node(v, alternative); }, x);
  } else {
    static_assert(is_leaf<T>, "traverse.h does not know this type");
  }
}

// ---- rebuild ----

template <class T>
T rebuild_node(Rebuilder& r, const T& x) {
  if constexpr (std::is_same_v<T, Name>) {
    return r.use_name(x);
  } else if constexpr (std::is_same_v<T, SubExp>) {
    return r.use(x);
  } else if constexpr (std::is_same_v<T, Dim>) {
    return x.is_ext() ? x : Dim(rebuild_node(r, x.size()));
  } else if constexpr (std::is_same_v<T, Type>) {
    Type t = x;
    t.dims = rebuild_node(r, x.dims);
    if (x.acc) {
      t.acc = std::make_shared<const AccType>(
          AccType{rebuild_node(r, x.acc->cert), rebuild_node(r, x.acc->space), rebuild_node(r, x.acc->elems)});
    }
    return t;
  } else if constexpr (std::is_same_v<T, Param>) {
    Type type = rebuild_node(r, x.type);
    return Param{x.attrs, r.bind(x.name), std::move(type)};
  } else if constexpr (std::is_same_v<T, PatElem>) {
    Type type = rebuild_node(r, x.type);
    return PatElem{r.bind(x.name), std::move(type)};
  } else if constexpr (std::is_same_v<T, ForLoop>) {
    SubExp bound = rebuild_node(r, x.bound);
    return ForLoop{r.bind(x.index), x.index_type, std::move(bound)};
  } else if constexpr (std::is_same_v<T, SegSpace>) {
    SegSpace s = x;
    for (SegDim& d : s.dims) d.size = rebuild_node(r, d.size);
    for (SegDim& d : s.dims) d.index = r.bind(d.index);
    s.flat = r.bind(s.flat);
    return s;
  } else if constexpr (std::is_same_v<T, Lambda>) {
    Lambda l;
    l.params = rebuild_node(r, x.params);
    l.ret = rebuild_node(r, x.ret);
    l.body = rebuild_node(r, x.body);
    return l;
  } else if constexpr (std::is_same_v<T, Loop>) {
    Loop l;
    l.inits = rebuild_node(r, x.inits);
    l.params = rebuild_node(r, x.params);
    l.form = rebuild_node(r, x.form);
    l.body = rebuild_node(r, x.body);
    return l;
  } else if constexpr (std::is_same_v<T, SegOp>) {
    SegOp s;
    s.kind = x.kind;
    s.level = rebuild_node(r, x.level);
    s.space = rebuild_node(r, x.space);
    s.ops = rebuild_node(r, x.ops);
    s.hists = rebuild_node(r, x.hists);
    s.types = rebuild_node(r, x.types);
    s.body = rebuild_node(r, x.body);
    return s;
  } else if constexpr (std::is_same_v<T, WithAccOp>) {
    return r.with_acc_op(x);
  } else if constexpr (std::is_same_v<T, BodyPtr>) {
    return r.body(x);
  } else if constexpr (std::is_same_v<T, KernelBodyPtr>) {
    return r.body(x);
  } else if constexpr (std::is_same_v<T, Body>) {
    Body b;
    b.stms = rebuild_node(r, x.stms);
    b.result = rebuild_node(r, x.result);
    return b;
  } else if constexpr (std::is_same_v<T, KernelBody>) {
    KernelBody b;
    b.stms = rebuild_node(r, x.stms);
    b.results = rebuild_node(r, x.results);
    return b;
  } else if constexpr (std::is_same_v<T, StmPtr>) {
    return std::make_shared<const Stm>(rebuild_node(r, *x));
  } else if constexpr (std::is_same_v<T, Stm>) {
    Stm s;
    s.attrs = x.attrs;
    s.position = x.position;
    s.certs = rebuild_node(r, x.certs);
    s.exp = rebuild_node(r, x.exp);
    s.pat = rebuild_node(r, x.pat);
    return s;
  } else if constexpr (HasFields<T>) {
    T copy = x;
    std::apply([&](auto... field) { ((copy.*field = rebuild_node(r, x.*field)), ...); }, T::fields);
    return copy;
  } else if constexpr (IsVector<T>::value) {
    T copy;
    copy.reserve(x.size());
    for (const auto& e : x) copy.push_back(rebuild_node(r, e));
    return copy;
  } else if constexpr (IsOptional<T>::value) {
    return x ? T(rebuild_node(r, *x)) : T();
  } else if constexpr (IsVariant<T>::value) {
    return std::visit([&](const auto& alternative) { return T(rebuild_node(r, alternative)); }, x);
  } else {
    static_assert(is_leaf<T>, "traverse.h does not know this type");
    return x;
  }
}

BodyPtr Rebuilder::body(const BodyPtr& b) { return std::make_shared<const Body>(rebuild_node(*this, *b)); }
KernelBodyPtr Rebuilder::body(const KernelBodyPtr& b) {
  return std::make_shared<const KernelBody>(rebuild_node(*this, *b));
}
WithAccOp Rebuilder::with_acc_op(const WithAccOp& op) {
  return WithAccOp{rebuild_node(*this, op.op), rebuild_node(*this, op.neutral)};
}

// ---- What is asked for from outside, and with it all that it consists of. ----

#define HEDDLE_SEG_TRAVERSED(...)                            \
  template void walk_node(Visitor& v, const __VA_ARGS__& x); \
  template __VA_ARGS__ rebuild_node(Rebuilder& r, const __VA_ARGS__& x);

HEDDLE_SEG_TRAVERSED(Stm)
HEDDLE_SEG_TRAVERSED(Stms)
HEDDLE_SEG_TRAVERSED(Exp)
HEDDLE_SEG_TRAVERSED(Loop)
HEDDLE_SEG_TRAVERSED(Screma)
HEDDLE_SEG_TRAVERSED(SegOp)
HEDDLE_SEG_TRAVERSED(Update)
HEDDLE_SEG_TRAVERSED(Body)
HEDDLE_SEG_TRAVERSED(BodyPtr)
HEDDLE_SEG_TRAVERSED(KernelBody)
HEDDLE_SEG_TRAVERSED(KernelBodyPtr)
HEDDLE_SEG_TRAVERSED(Lambda)
HEDDLE_SEG_TRAVERSED(SubExpRes)
HEDDLE_SEG_TRAVERSED(std::vector<SubExpRes>)
HEDDLE_SEG_TRAVERSED(KernelResult)
HEDDLE_SEG_TRAVERSED(std::vector<SegBinOp>)
HEDDLE_SEG_TRAVERSED(std::vector<HistOp>)
HEDDLE_SEG_TRAVERSED(Param)
HEDDLE_SEG_TRAVERSED(std::vector<Param>)
HEDDLE_SEG_TRAVERSED(std::vector<RetType>)
HEDDLE_SEG_TRAVERSED(Type)
HEDDLE_SEG_TRAVERSED(std::vector<Type>)
HEDDLE_SEG_TRAVERSED(SubExp)
HEDDLE_SEG_TRAVERSED(std::vector<SubExp>)
HEDDLE_SEG_TRAVERSED(Certs)

#undef HEDDLE_SEG_TRAVERSED

// ---- What most passes need of it. ----

NameSet detail::CollectNames::free() && {
  std::erase_if(used_, [&](const Name& n) { return bound_.contains(n); });
  return std::move(used_);
}

SubExp detail::Replace::use(const SubExp& x) {
  if (!x.is_var()) return x;
  auto it = s_.find(x.name());
  return it == s_.end() ? x : it->second;
}
Name detail::Replace::use_name(const Name& n) {
  auto it = s_.find(n);
  return it == s_.end() ? n : it->second.name();
}

Name detail::Rename::bind(const Name& n) {
  Name fresh = names_.fresh(n);
  into_.insert_or_assign(n, SubExp(fresh));
  return fresh;
}

}  // namespace heddle::seg
