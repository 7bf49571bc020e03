#include "rewrites/nest/bounds_at_once.h"

#include <algorithm>
#include <unordered_map>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Op;
using prim::Type;

struct Bounds : Rebuilder<Bounds> {
  std::vector<Expr> sizes;
  std::unordered_map<Name, Expr> comparisons;

  const Operation* comparison(const Expr& e, Family family) const {
    const auto* v = std::get_if<Var>(&e->node);
    auto known = v ? comparisons.find(v->name) : comparisons.end();
    const auto* o = std::get_if<Operation>(known == comparisons.end() ? &e->node : &known->second->node);
    return o && o->op == Op(family, Type::I64) ? o : nullptr;
  }

  bool is_size(const Expr& n) const {
    if (const auto number = int_constant(n)) return *number >= 0;
    return std::ranges::any_of(sizes, [&](const Expr& s) { return equal(s, n); });
  }

  // Null where it is no such pair.
  Expr within(const Expr& from, const Expr& to) const {
    const Operation *low = comparison(from, Family::Sle), *high = comparison(to, Family::Slt);
    if (!low || !high || int_constant(low->args[0]) != 0) return nullptr;
    const Expr& place = low->args[1];
    // A name stays what it is.
    const bool is_name = std::holds_alternative<Var>(place->node);
    if (!is_name || !equal(place, high->args[0]) || !is_size(high->args[1])) return nullptr;
    return operation(Op(Family::Ult, Type::I64), {place, high->args[1]});
  }

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* both = std::get_if<Operation>(&e->node);
    if (!both || both->op != Op(Family::LogAnd, Type::Bool)) return;
    Expr made = within(both->args[0], both->args[1]);
    if (!made) made = within(both->args[1], both->args[0]);
    if (made) e = made;
  }
  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    const auto* let = std::get_if<Let>(&out.back()->node);
    if (let && let->value->type == Type::Bool) comparisons.emplace(let->name, let->value);
  }
};

}  // namespace

Block bounds_at_once(const Kernel& kernel) {
  Bounds bounds;
  for (const Buffer& b : kernel.buffers) bounds.sizes.insert(bounds.sizes.end(), b.dims.begin(), b.dims.end());
  Block result = kernel.body;
  bounds.body(result);
  return result;
}

}  // namespace heddle::nest
