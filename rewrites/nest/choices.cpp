#include "rewrites/nest/choices.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

// Whether it may be computed where it is not needed.
bool is_harmless(const Expr& e) {
  bool harmless = true;
  for_each_expr(e, [&](const Expr& x) {
    const auto* o = std::get_if<Operation>(&x->node);
    harmless &= !std::holds_alternative<Load>(x->node) && !std::holds_alternative<Call>(x->node) &&
                !(o && prim::can_fail(o->op));
  });
  return harmless;
}

// What a branch leaves in registers, by their names.
struct Chosen {
  Block lets;
  std::vector<std::pair<Name, Expr>> values;
};

std::optional<Chosen> chosen(const Block& branch) {
  Chosen result;
  for (const Stmt& s : branch) {
    const auto* let = std::get_if<Let>(&s->node);
    const auto* store = std::get_if<Store>(&s->node);
    if (let && is_harmless(let->value)) {
      result.lets.push_back(s);
    } else if (store && store->index.empty() && prim::is_int(store->value->type) && is_harmless(store->value)) {
      result.values.emplace_back(store->buffer, store->value);
    } else {
      return std::nullopt;
    }
  }
  return result;
}

bool all_constant(const Chosen& c) {
  return std::ranges::all_of(c.values, [](const auto& v) { return std::holds_alternative<Const>(v.second->node); });
}

struct ToSelects : Rebuilder<ToSelects> {
  void expr(Expr&) {}
  void stmts(const Stmt& s, Block& out) {
    const auto* branch = std::get_if<If>(&s->node);
    if (!branch) return Rebuilder::stmts(s, out);
    If changed = *branch;
    body(changed.then_body);
    body(changed.else_body);
    auto first = chosen(changed.then_body), second = chosen(changed.else_body);
    bool same = first && second && is_harmless(changed.condition) && !first->values.empty() &&
                std::ranges::equal(
                    first->values, second->values, {}, [](const auto& v) { return v.first; },
                    [](const auto& v) { return v.first; });
    if (!same || (all_constant(*first) && all_constant(*second))) return out.push_back(nest::stmt(std::move(changed)));
    for (const Chosen* c : {&*first, &*second}) out.insert(out.end(), c->lets.begin(), c->lets.end());
    for (size_t k = 0; k < first->values.size(); ++k) {
      const auto& [name, value] = first->values[k];
      out.push_back(nest::stmt(Store{name, {}, select(changed.condition, value, second->values[k].second)}));
    }
  }
};

// Registers of integers that are written once, next to where they begin, are names of what is written.
struct ToNames : Rebuilder<ToNames> {
  std::unordered_map<Name, int> stores;
  NameSet names;

  void expr(Expr& e) {
    const auto* load = std::get_if<Load>(&e->node);
    if (load && names.contains(load->buffer)) {
      e = var(load->buffer, e->type);
    } else {
      Rebuilder::expr(e);
    }
  }
  void body(Block& b) {
    for (const Stmt& s : b) {
      const auto* alloc = std::get_if<Alloc>(&s->node);
      if (!alloc || !is_written_once(alloc->buffer, b)) continue;
      names.insert(alloc->buffer.name);
    }
    Rebuilder::body(b);
  }
  void stmts(const Stmt& s, Block& out) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    if (alloc && names.contains(alloc->buffer.name)) return;
    const auto* store = std::get_if<Store>(&s->node);
    if (!store || !names.contains(store->buffer)) return Rebuilder::stmts(s, out);
    Expr value = store->value;
    expr(value);
    out.push_back(nest::stmt(Let{store->buffer, std::move(value)}));
  }

  bool is_written_once(const Buffer& buffer, const Block& b) const {
    auto count = stores.find(buffer.name);
    return buffer.space == Space::Register && buffer.dims.empty() && prim::is_int(buffer.elem) &&
           count != stores.end() && count->second == 1 && std::ranges::any_of(b, [&](const Stmt& s) {
             const auto* store = std::get_if<Store>(&s->node);
             return store && store->buffer == buffer.name;
           });
  }
};

}  // namespace

Block with_choices(const Block& block) {
  Block result = block;
  ToSelects().body(result);
  ToNames to_names;
  for_each_stmt(result, [&](const Stmt& s) {
    if (const auto* store = std::get_if<Store>(&s->node)) ++to_names.stores[store->buffer];
  });
  to_names.body(result);
  return result;
}

}  // namespace heddle::nest
