#include "rewrites/points/host_scope.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/seg/traverse.h"

namespace heddle::lower {

void HostScope::exists(const seg::StmPtr& s) {
  const bool changes = !changing.empty() &&
                       std::ranges::any_of(seg::free_names(*s), [&](const Name& n) { return changing.contains(n); });
  for (const seg::PatElem& p : s->pat) {
    types.insert_or_assign(p.name, p.type);
    if (changes) changing.insert(p.name);
  }
  if (std::holds_alternative<seg::Index>(s->exp) && s->pat[0].type.is_scalar()) elements_.insert(s->pat[0].name);
  facts.stm(s);
}

bool HostScope::follows_from_elements(const nest::Expr& scalar) const {
  nest::NameSet seen = nest::free_names(scalar);
  std::vector<Name> names(seen.begin(), seen.end());
  for (size_t next = 0; next < names.size(); ++next) {
    if (elements_.contains(names[next])) return true;
    const nest::Expr definition = facts.definition(names[next]);
    if (!definition) continue;
    for (const Name& n : nest::free_names(definition)) {
      if (seen.insert(n).second) names.push_back(n);
    }
  }
  return false;
}

const ComputedArray* HostScope::computed_by_reader(const seg::Exp& e) const {
  const auto* index = std::get_if<seg::Index>(&e);
  auto it = index ? computed.find(index->array) : computed.end();
  if (it == computed.end() || !it->second.by_all) return nullptr;
  bool single = std::ranges::all_of(index->slice, [](const auto& d) { return std::holds_alternative<seg::DimFix>(d); });
  return single ? &it->second : nullptr;
}

void HostScope::enter(const std::vector<seg::Param>& params) {
  for (const seg::Param& p : params) {
    types.insert_or_assign(p.name, p.type);
    facts.exists(p.type);
  }
}

void HostScope::enter(const seg::Loop& loop) {
  enter(loop.params);
  for (const seg::Param& p : loop.params) changing.insert(p.name);
  for (size_t k = 0; k < loop.params.size(); ++k) {
    if (loop.params[k].type.is_acc()) alias(loop.params[k].name, loop.inits[k].name());
  }
  if (const auto* f = std::get_if<seg::ForLoop>(&loop.form)) {
    types.insert_or_assign(f->index, seg::Type::scalar(f->index_type));
    changing.insert(f->index);
    facts.loop(*f);
  }
}

void HostScope::enter(const seg::WithAcc& with) {
  size_t num_inputs = with.inputs.size();
  for (size_t k = 0; k < num_inputs; ++k) {
    HostAcc acc{with.inputs[k].arrays, {}, with.inputs[k].shape, with.inputs[k].op};
    for (const Name& a : acc.arrays) acc.types.push_back(types.at(a));
    types.insert_or_assign(with.lambda.params[k].name, with.lambda.params[k].type);
    accs.insert_or_assign(with.lambda.params[num_inputs + k].name, std::move(acc));
  }
}

void HostScope::alias(const Name& name, const Name& acc) {
  auto it = accs.find(acc);
  if (it == accs.end()) return;
  HostAcc copy = it->second;
  accs.insert_or_assign(name, std::move(copy));
}

void HostScope::alias_results(const seg::Stm& s) {
  for (size_t k = 0; k < s.pat.size(); ++k) {
    if (!s.pat[k].type.is_acc()) continue;
    if (const auto* e = std::get_if<seg::SegOp>(&s.exp)) {
      if (const auto* r = std::get_if<seg::Returns>(&e->body->results[k]))
        alias(s.pat[k].name, acc_of(*e, r->value.name()));
    } else if (const auto* e = std::get_if<seg::Match>(&s.exp)) {
      alias(s.pat[k].name, e->otherwise->result[k].value.name());
    } else if (const auto* e = std::get_if<seg::Loop>(&s.exp)) {
      alias(s.pat[k].name, e->inits[k].name());
    } else if (const auto* e = std::get_if<seg::Atom>(&s.exp)) {
      alias(s.pat[k].name, e->value.name());
    } else if (const auto* e = std::get_if<seg::UpdateAcc>(&s.exp)) {
      alias(s.pat[k].name, e->acc);
    } else if (const auto* e = std::get_if<seg::WithAcc>(&s.exp)) {
      size_t arrays = 0;
      for (const seg::WithAccInput& input : e->inputs) arrays += input.arrays.size();
      if (k >= arrays) alias(s.pat[k].name, e->lambda.body->result[e->inputs.size() + k - arrays].value.name());
    }
  }
}

// The host accumulator that a kernel's result is an updated form of: the free accumulator of the same certificate.
Name HostScope::acc_of(const seg::SegOp& op, const Name& result) const {
  if (accs.contains(result)) return result;
  struct Find {
    const HostScope& host;
    std::vector<Name> found;
    void use(const Name& n) {
      if (host.accs.contains(n)) found.push_back(n);
    }
    void bind(const Name&) {}
  };
  // Follow the result back through the updates that made it.
  Name at = result;
  for (bool moved = true; moved && !accs.contains(at);) {
    moved = false;
    for (const seg::StmPtr& s : op.body->stms) {
      for (const seg::PatElem& p : s->pat) {
        if (p.name != at) continue;
        Find find{*this, {}};
        seg::walk(find, s->exp);
        if (const auto* u = std::get_if<seg::UpdateAcc>(&s->exp)) {
          at = u->acc;
          moved = true;
        } else if (!find.found.empty()) {
          return find.found[0];
        }
      }
    }
  }
  return at;
}

}  // namespace heddle::lower
