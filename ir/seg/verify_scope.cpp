// Scopes and consumption.
#include <algorithm>

#include "ir/seg/verify_checker.h"

namespace heddle::seg {

namespace {
constexpr size_t kMaxRoots = 32;
}

Roots unite(const Roots& a, const Roots& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Roots all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  if (all.size() > kMaxRoots) all.clear();
  return all;
}

void Checker::bind(const Name& name, const Type& type, Roots roots) {
  auto [it, inserted] = vars_.try_emplace(name, Var{&type, std::move(roots)});
  if (!inserted) {
    problem("{} is bound although it is in scope already: each name can be bound only once in a scope.", name.text());
    return;
  }
  bound_.push_back(name);
}

void Checker::leave_scope(size_t mark) {
  while (bound_.size() > mark) {
    vars_.erase(bound_.back());
    bound_.pop_back();
  }
}

const Type* Checker::type_of(const Name& name) {
  auto it = vars_.find(name);
  if (it != vars_.end()) return it->second.type;
  problem("{} is not bound here.", name.text());
  return nullptr;
}

const Type* Checker::use(const Name& name) {
  const Type* type = type_of(name);
  if (!type || type->is_scalar()) return type;
  for (int r : vars_.at(name).roots) {
    const Root& root = roots_[r];
    if (!root.consumed) continue;
    if (root.name == name.text()) {
      problem("{} is used after it has been consumed (in line {}).", name.text(), root.line);
    } else {
      problem("{} is used after {}, which it may alias, has been consumed (in line {}).", name.text(), root.name,
              root.line);
    }
    break;
  }
  return type;
}

Roots Checker::roots_of(const SubExp& e) const {
  if (!e.is_var()) return {};
  auto it = vars_.find(e.name());
  return it == vars_.end() ? Roots{} : it->second.roots;
}

void Checker::require(const SubExp& e, const Type& type, std::string_view what) {
  const Type* actual = use(e);
  if (actual && !same(*actual, type)) {
    problem("{} must be of type {}, but {} is of type {}.", what, print(type), print(e), print(*actual));
  }
}

void Checker::require_sizes(const Shape& shape, std::string_view what) {
  for (const SubExp& e : shape) require(e, prim::Type::I64, what);
}

const Type* Checker::use_array(const Name& name, std::string_view what) {
  const Type* type = use(name);
  if (type && !type->is_array()) {
    problem("{} must be an array, but {} is of type {}.", what, name.text(), print(*type));
    return nullptr;
  }
  return type;
}

std::optional<std::vector<Type>> Checker::use_all(const std::vector<SubExp>& es) {
  std::vector<Type> types;
  bool known = true;
  for (const SubExp& e : es) {
    const Type* type = use(e);
    if (type) types.push_back(*type);
    known = known && type;
  }
  if (!known) return std::nullopt;
  return types;
}

void Checker::check_type(const Type& type) {
  if (type.is_acc()) {
    require(type.acc->cert, prim::Type::Unit, "The certificate of an accumulator type");
    require_sizes(type.acc->space, "A size in an accumulator type");
    for (const Type& t : type.acc->elems) check_type(t);
    return;
  }
  for (const Dim& d : type.dims) {
    if (!d.is_ext()) require(d.size(), prim::Type::I64, "A size in an array type");
  }
}

void Checker::check_certs(const Certs& certs) {
  for (const Name& c : certs) require(c, prim::Type::Unit, "A certificate");
}

Roots Checker::fresh_root(std::string name, bool fixed) {
  roots_.push_back(Root{std::move(name), fixed, false, 0});
  return {static_cast<int>(roots_.size()) - 1};
}

Roots Checker::fresh_root(const Type& type, std::string name, bool fixed) {
  return type.is_scalar() ? Roots{} : fresh_root(std::move(name), fixed);
}

Outs Checker::fresh(std::vector<Type> types) {
  std::vector<Out> outs;
  for (Type& t : types) {
    Roots roots = fresh_root(t);
    outs.push_back(Out{std::move(t), std::move(roots)});
  }
  return outs;
}

void Checker::consume(const Name& name) {
  const Type* type = use(name);
  if (type && !type->is_scalar()) consume_roots(vars_.at(name).roots, name);
}

void Checker::consume_roots(const Roots& roots, const Name& name) {
  for (int r : roots) {
    Root& root = roots_[r];
    if (root.fixed) {
      problem("{} is consumed, but may alias {}, which is not unique.", name.text(), root.name);
    } else if (r < floor_) {
      problem(
          "{} is consumed in a loop, function or lambda that it is not a parameter of: it may alias {}, bound outside.",
          name.text(), root.name);
    }
    if (!root.consumed) consumed_.push_back(r);
    root.consumed = true;
    root.line = line_;
  }
}

void Checker::drop_consumed(Roots& roots) const {
  std::erase_if(roots, [&](int r) { return roots_[r].consumed; });
}

}  // namespace heddle::seg
