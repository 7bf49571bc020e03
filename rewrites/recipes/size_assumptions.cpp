#include "rewrites/recipes/size_assumptions.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/discharge.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

Expr size_assumptions(const HostScope& host, const nest::Kernel& kernel, const nest::Block& body, nest::Facts& facts) {
  std::vector<Name> names;  // host scalars of type i64
  nest::NameSet seen, divisors;
  auto add = [&](const Name& n) {
    auto it = host.types.find(n);
    bool is_integer = it != host.types.end() && it->second.is_scalar() && it->second.elem == Type::I64;
    if (is_integer && seen.insert(n).second) names.push_back(n);
  };
  auto look_for_divisors = [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || !nest::is_division(o->op)) return;
    for (const Name& n : nest::free_names(o->args[1])) divisors.insert(n);
  };
  for (const nest::ScalarParam& p : kernel.scalars) add(p.name);
  // Who writes max(1, s) allows for an s that is not meant.
  std::vector<Expr> meant;
  auto look_for_clamps = [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || o->op.family != prim::Family::SMax || o->op.type != Type::I64) return;
    for (size_t k = 0; k < 2; ++k) {
      const auto* v = std::get_if<nest::Var>(&o->args[k]->node);
      if (v && nest::int_constant(o->args[1 - k]))
        meant.push_back(nest::less(nest::sub(o->args[1 - k], nest::constant(int64_t{1})), o->args[k]));
    }
  };
  nest::for_each_expr(body, look_for_divisors);
  // And what these are computed from.
  size_t next = 0;
  while (next < names.size()) {
    Expr definition = host.facts.definition(names[next++]);
    if (!definition) continue;
    nest::for_each_expr(definition, look_for_divisors);
    nest::for_each_expr(definition, look_for_clamps);
    for (const Name& n : nest::free_names(definition)) add(n);
  }
  std::sort(names.begin(), names.end());
  Expr all = nest::constant(prim::Value::of_bool(true));
  auto demand = [&](const std::vector<Expr>& conditions) {
    Expr together = nest::constant(prim::Value::of_bool(true));
    for (const Expr& c : conditions) together = nest::both(together, c);
    all = nest::both(all, together);
    facts.assume(together);
  };
  // What is known of sizes says nothing about where 32 bits end. Of what is computed from other scalars it may follow,
  // when they are known not to be negative, that it is not, either.
  std::vector<Expr> low_given, high_given, low_computed, high_computed;
  for (const Name& n : names) {
    Expr x = nest::var(n, Type::I64);
    Expr low = nest::less(nest::constant(int64_t{divisors.contains(n) ? 0 : -1}), x);
    Expr high = nest::less(x, nest::constant(int64_t{1} << 31));
    bool computed = host.facts.definition(n) != nullptr;
    (computed ? low_computed : low_given).push_back(low);
    (computed ? high_computed : high_given).push_back(high);
  }
  auto is_known = [&](const Expr& c) { return facts.prove(c); };
  // What is known of another may have been concluded from what is computed from it, and that from this.
  nest::NameSet sizes;
  for (const auto& [name, type] : host.types) {
    for (const seg::Dim& d : type.dims) {
      if (!d.is_ext() && d.size().is_var()) sizes.insert(d.size().name());
    }
  }
  std::erase_if(low_given, [&](const Expr& c) {
    nest::NameSet about = nest::free_names(c);
    return std::all_of(about.begin(), about.end(), [&](const Name& n) { return sizes.contains(n); }) && is_known(c);
  });
  demand(low_given);
  std::erase_if(meant, is_known);
  demand(meant);
  demand(high_given);
  std::erase_if(low_computed, is_known);
  demand(low_computed);
  demand(high_computed);
  return all;
}

}  // namespace heddle::lower
