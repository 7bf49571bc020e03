#include "rewrites/recipes/on_host.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"

namespace heddle::lower {

using nest::Expr;
using prim::Family;
using prim::Type;

namespace {

// Sums and products that are fewer are as cheap as reading a parameter more.
constexpr int kWorthHandingIn = 2;

bool is_division(Family f) { return f == Family::SDiv || f == Family::SDivUp || f == Family::SMod; }

struct OnHost : nest::Rebuilder<OnHost> {
  Launch& launch;
  NameSource& names;
  nest::Substitution arguments;              // of the parameters that the host computes
  std::vector<std::pair<Expr, Expr>> known;  // over parameters, and the parameter in its place

  OnHost(Launch& launch, NameSource& names) : launch(launch), names(names) {
    for (size_t i = 0; i < launch.kernel.scalars.size(); ++i) {
      const auto* e = std::get_if<Expr>(&launch.scalar_args[i]);
      if (e) arguments.emplace(launch.kernel.scalars[i].name, *e);
    }
  }

  // How much it costs; nothing where the host cannot compute it.
  std::optional<int> cost(const Expr& e) const {
    if (e->type != Type::I64) return std::nullopt;
    if (std::holds_alternative<nest::Const>(e->node)) return 0;
    if (const auto* v = std::get_if<nest::Var>(&e->node))
      return arguments.contains(v->name) ? std::optional(0) : std::nullopt;
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || o->args.size() != 2) return std::nullopt;
    const bool divides = is_division(o->op.family);
    if (divides && nest::int_constant(o->args[1]).value_or(0) <= 0) return std::nullopt;
    if (!divides && prim::can_fail(o->op)) return std::nullopt;
    const auto a = cost(o->args[0]), b = cost(o->args[1]);
    if (!a || !b) return std::nullopt;
    const bool limits = o->op.family == Family::SMin || o->op.family == Family::SMax;
    return *a + *b + (divides || limits ? kWorthHandingIn : 1);
  }

  Expr handed_in(const Expr& e) {
    auto same = [&](const auto& k) { return nest::equal(k.first, e); };
    if (auto i = std::ranges::find_if(known, same); i != known.end()) return i->second;
    const Name name = names.fresh("known");
    launch.kernel.scalars.push_back({name, Type::I64});
    launch.scalar_args.emplace_back(nest::substitute(arguments, e));
    known.emplace_back(e, nest::var(name, Type::I64));
    return known.back().second;
  }

  void expr(Expr& e) {
    const auto c = cost(e);
    if (c && *c >= kWorthHandingIn && !nest::free_names(e).empty()) {
      e = handed_in(e);
    } else {
      Rebuilder::expr(e);
    }
  }
  // Sizes of buffers and numbers of blocks and threads are what the host knows anyway.
  void buffer(nest::Buffer&) {}
  void stmts(const nest::Stmt& s, nest::Block& out) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    if (!loop || loop->role == nest::Role::Serial || loop->role == nest::Role::Unrolled) {
      Rebuilder::stmts(s, out);
      return;
    }
    nest::For copy = *loop;
    body(copy.body);
    out.push_back(nest::stmt(std::move(copy)));
  }
};

}  // namespace

Launch with_known_on_host(Launch launch, NameSource& names) {
  nest::Block body = launch.kernel.body;
  OnHost(launch, names).body(body);
  launch.kernel.body = std::move(body);
  return launch;
}

}  // namespace heddle::lower
