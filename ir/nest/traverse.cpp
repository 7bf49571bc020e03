#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

bool same_parts(const decltype(ExprNode::node)& a, const decltype(ExprNode::node)& b) {
  struct Collect {
    std::vector<const ExprNode*> exprs;
    std::vector<int> names;
    void expr(const Expr& e) { exprs.push_back(e.get()); }
    void use(const Name& n) { names.push_back(n.tag); }
  } x, y;
  std::visit([&](const auto& node) { parts(node, x); }, a);
  std::visit([&](const auto& node) { parts(node, y); }, b);
  return x.exprs == y.exprs && x.names == y.names;
}

struct Free : Walker<Free> {
  NameSet used, bound;
  void use(const Name& n) { used.insert(n); }
  void bind(const Name& n) { bound.insert(n); }
  NameSet result() {
    std::erase_if(used, [&](const Name& n) { return bound.contains(n); });
    return std::move(used);
  }
};

struct Replace : Rebuilder<Replace> {
  const Substitution& s;
  explicit Replace(const Substitution& s) : s(s) {}
  void expr(Expr& e) {
    if (const auto* v = std::get_if<Var>(&e->node)) {
      auto it = s.find(v->name);
      if (it != s.end()) e = it->second;
      return;
    }
    Rebuilder::expr(e);
  }
  void use(Name& n) {
    auto it = s.find(n);
    if (it == s.end()) return;
    if (const auto* v = std::get_if<Var>(&it->second->node)) n = v->name;
  }
};

}  // namespace

Expr remake(const Expr& original, decltype(ExprNode::node) node) {
  if (same_parts(original->node, node)) return original;
  struct Make {
    const Expr& original;
    Expr operator()(Const&) { return original; }
    Expr operator()(Var& x) { return var(std::move(x.name), original->type); }
    Expr operator()(Operation& x) { return operation(x.op, std::move(x.args)); }
    Expr operator()(Call& x) { return call(x.function, std::move(x.args)); }
    Expr operator()(Select& x) { return select(std::move(x.condition), std::move(x.if_true), std::move(x.if_false)); }
    Expr operator()(Load& x) { return load(std::move(x.buffer), original->type, std::move(x.index)); }
  };
  return std::visit(Make{original}, node);
}

NameSet free_names(const Expr& e) {
  Free v;
  v.expr(e);
  return v.result();
}

NameSet free_names(const Block& block) {
  Free v;
  v.body(block);
  return v.result();
}

NameSet bound_in(const Block& block) {
  struct Bound : Walker<Bound> {
    NameSet names;
    void expr(const Expr&) {}
    void bind(const Name& n) { names.insert(n); }
  } bound;
  bound.body(block);
  return std::move(bound.names);
}

Expr substitute(const Substitution& s, const Expr& e) {
  Replace v(s);
  Expr result = e;
  v.expr(result);
  return result;
}

Block substitute(const Substitution& s, const Block& block) {
  Replace v(s);
  Block result = block;
  v.body(result);
  return result;
}

Kernel substitute(const Substitution& s, const Kernel& kernel) {
  Replace v(s);
  Kernel result = kernel;
  v.body(result.body);
  for (Buffer& b : result.buffers) {
    for (Expr& e : b.dims) v.expr(e);
    for (Expr& e : b.strides) v.expr(e);
  }
  if (result.bounds) {
    v.expr(result.bounds->threads);
    v.expr(result.bounds->registers);
  }
  return result;
}

Kernel instantiate(const Kernel& kernel, const std::unordered_map<Name, int64_t>& values) {
  Substitution s;
  for (const auto& [name, value] : values) s.emplace(name, constant(value));
  Kernel result = substitute(s, kernel);
  std::erase_if(result.constants, [&](const Name& n) { return values.contains(n); });
  return result;
}

}  // namespace heddle::nest
