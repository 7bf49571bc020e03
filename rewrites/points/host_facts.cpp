#include "rewrites/points/host_facts.h"

#include <algorithm>

namespace heddle::lower {

using nest::Expr;
using prim::Type;

void HostFacts::stm(const seg::StmPtr& s) {
  for (const seg::PatElem& p : s->pat) {
    definitions_.insert_or_assign(p.name, s);
    exists(p.type);
  }
  if (const auto* a = std::get_if<seg::Assert>(&s->exp)) {
    if (Expr condition = scalar(a->condition)) conditions_.push_back({condition, true});
  }
}

void HostFacts::exists(const seg::Type& type) {
  for (const seg::Dim& d : type.dims) {
    if (!d.is_ext() && d.size().is_var()) sizes_.push_back(d.size().name());
  }
}

void HostFacts::loop(const seg::ForLoop& loop) {
  Expr index = nest::var(loop.index, loop.index_type), bound = scalar(loop.bound);
  if (!bound) return;
  if (loop.index_type == Type::I64) return indices_.emplace_back(loop.index, bound), void();
  prim::Op less(prim::Family::Slt, loop.index_type), negative = less;
  conditions_.push_back({nest::operation(less, {index, bound}), true});
  conditions_.push_back({nest::operation(negative, {index, nest::constant(prim::zero(loop.index_type))}), false});
}

void HostFacts::chosen(const seg::Match& match, size_t number) {
  for (size_t k = 0; k <= number && k < match.cases.size(); ++k) {
    if (Expr condition = case_condition(match, k)) conditions_.push_back({condition, k == number});
  }
}

Expr HostFacts::scalar(const seg::SubExp& e) const {
  if (!e.is_var()) return nest::constant(e.value());
  auto it = types_.find(e.name());
  if (it == types_.end() || !it->second.is_scalar() || it->second.elem == Type::Unit) return nullptr;
  return nest::var(e.name(), it->second.elem);
}

Expr HostFacts::case_condition(const seg::Match& match, size_t number) const {
  Expr all = nest::constant(prim::Value::of_bool(true));
  for (size_t k = 0; k < match.subjects.size(); ++k) {
    const std::optional<prim::Value>& wanted = match.cases[number].pattern[k];
    if (!wanted) continue;
    Expr subject = scalar(match.subjects[k]);
    if (!subject) return nullptr;
    bool is_true = *wanted == prim::Value::of_bool(true);
    prim::Op equal(prim::Family::Eq, subject->type);
    all = nest::both(all, is_true ? subject : nest::operation(equal, {subject, nest::constant(*wanted)}));
  }
  return all;
}

Expr HostFacts::definition(const Name& name) const {
  auto it = definitions_.find(name);
  if (it == definitions_.end()) return nullptr;
  const seg::Stm& s = *it->second;
  if (const auto* e = std::get_if<seg::PrimOp>(&s.exp)) {
    std::vector<Expr> args;
    for (const seg::SubExp& a : e->args) {
      args.push_back(scalar(a));
      if (!args.back()) return nullptr;
    }
    return nest::operation(e->op, std::move(args));
  }
  if (const auto* e = std::get_if<seg::Atom>(&s.exp)) return scalar(e->value);
  if (const auto* e = std::get_if<seg::Match>(&s.exp); e && e->is_if()) {
    auto k = static_cast<size_t>(
        std::find_if(s.pat.begin(), s.pat.end(), [&](const seg::PatElem& p) { return p.name == name; }) -
        s.pat.begin());
    Expr condition = scalar(e->subjects[0]);
    Expr if_true = scalar(e->cases[0].body->result.at(k).value), if_false = scalar(e->otherwise->result.at(k).value);
    if (condition && if_true && if_false) return nest::select(condition, if_true, if_false);
  }
  return nullptr;
}

const seg::Exp* HostFacts::array_definition(const Name& array) const {
  auto it = definitions_.find(array);
  return it != definitions_.end() && it->second->pat.size() == 1 ? &it->second->exp : nullptr;
}

void HostFacts::tell(nest::Facts& facts) const {
  for (const Name& n : sizes_) facts.size(n);
  for (const auto& [name, extent] : indices_) facts.index(name, extent);
  for (const Condition& c : conditions_) facts.assume(c.condition, c.holds);
}

}  // namespace heddle::lower
