#include "ir/nest/share.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

bool is_atom(const Expr& e) { return std::holds_alternative<Var>(e->node) || std::holds_alternative<Const>(e->node); }

// Gives every operation a name, and equal ones the same.
struct Namer : Rebuilder<Namer> {
  NameSource& names;
  std::vector<Let> lets = {};
  std::unordered_map<std::string, Expr> named = {};
  std::unordered_map<const ExprNode*, Expr> seen = {};

  explicit Namer(NameSource& n) : names(n) {}

  void expr(Expr& e) {
    if (is_atom(e)) return;
    auto it = seen.find(e.get());
    if (it == seen.end()) it = seen.emplace(e.get(), name_of(e)).first;
    e = it->second;
  }

 private:
  Expr name_of(Expr e) {
    Rebuilder<Namer>::expr(e);  // its operands have names now
    if (is_atom(e)) return e;
    auto [it, is_new] = named.emplace(to_text(e), nullptr);
    if (is_new) {
      lets.push_back({names.fresh("shared"), e});
      it->second = var(lets.back().name, e->type);
    }
    return it->second;
  }
};

}  // namespace

Shared share(const std::vector<Expr>& values, NameSource& names) {
  Namer namer(names);
  std::vector<Expr> atoms = values;
  for (Expr& e : atoms) namer.expr(e);

  std::unordered_map<Name, int> uses;
  auto count = [&](const Expr& e) {
    for_each_expr(e, [&](const Expr& part) {
      if (const auto* v = std::get_if<Var>(&part->node)) ++uses[v->name];
    });
  };
  for (const Let& l : namer.lets) count(l.value);
  for (const Expr& e : atoms) count(e);

  Shared result;
  Substitution used_once;
  for (Let& l : namer.lets) {
    l.value = substitute(used_once, l.value);
    if (uses[l.name] > 1) {
      result.lets.push_back(l);
    } else {
      used_once.emplace(l.name, l.value);
    }
  }
  for (const Expr& e : atoms) result.values.push_back(substitute(used_once, e));
  return result;
}

}  // namespace heddle::nest
