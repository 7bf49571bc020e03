#include "rewrites/nest/factor_sums.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/nest/unused.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

bool is_sequential(const For& loop) { return loop.role == Role::Serial || loop.role == Role::Unrolled; }

const Expr* operand_beside(const Operation& o, const Name& name) {
  for (size_t k = 0; k < 2; ++k) {
    const auto* v = std::get_if<Var>(&o.args[k]->node);
    if (v && v->name == name) return &o.args[1 - k];
  }
  return nullptr;
}

// Factors of a product that wraps around, in the loop and from outside; null where there are none.
struct Product {
  Expr inner, outer;
};

class Sum {
 public:
  // `around`: what loops around it bind.
  Sum(const For& loop, const NameSet& around) : loop_(loop), around_(around), inside_(bound_in(loop.body)) {
    inside_.insert(loop.index);
    for (const Stmt& s : loop.body) {
      if (const auto* let = std::get_if<Let>(&s->node)) lets_.emplace(let->name, let->value);
    }
  }

  // The loop and what is around it instead; nothing where it is no such sum.
  std::optional<Block> factored(NameSource& names) const {
    const auto* last = loop_.body.empty() ? nullptr : std::get_if<Store>(&loop_.body.back()->node);
    if (!last || !last->index.empty() || !prim::is_int(last->value->type)) return std::nullopt;
    const Name& total = last->buffer;
    const Type type = last->value->type;
    const Let* before = nullptr;
    for (const Stmt& s : loop_.body) {
      const auto* let = std::get_if<Let>(&s->node);
      const auto* load = let ? std::get_if<Load>(&let->value->node) : nullptr;
      if (load && load->buffer == total) before = let;
    }
    if (!before || inside_.contains(total) || uses_of(total, loop_.body) != 2 || uses_of(before->name, loop_.body) != 1)
      return std::nullopt;
    const auto* sum = std::get_if<Operation>(&defined(last->value)->node);
    if (!sum || sum->op.family != Family::Add) return std::nullopt;
    const Expr* term = operand_beside(*sum, before->name);
    if (!term) return std::nullopt;
    const Product product = product_of(*term);
    if (!product.inner || !product.outer || !is_of_loops_around(product.outer)) return std::nullopt;
    // The one is computed later, the other even where there are no terms.
    if (reads_memory(product.inner) || !is_movable(product.outer)) return std::nullopt;
    const auto* name = std::get_if<Var>(&last->value->node);
    if (name && uses_of(name->name, loop_.body) != 1) return std::nullopt;

    const Name part = names.fresh("sum");
    auto plus = [&](const Expr& a, const Expr& b) { return operation(prim::Op(Family::Add, type), {a, b}); };
    For loop = loop_;
    std::erase_if(loop.body, [&](const Stmt& s) {
      const auto* let = std::get_if<Let>(&s->node);
      return let && (let->name == before->name || (name && let->name == name->name));
    });
    loop.body.back() = stmt(Store{part, {}, plus(load(part, type, {}), product.inner)});
    const Expr times = operation(prim::Op(Family::Mul, type), {product.outer, load(part, type, {})});
    return Block{stmt(Alloc{Buffer{part, type, Space::Register, {}, {}}}),
                 stmt(Store{part, {}, constant(prim::Value::of_int(type, 0))}), stmt(std::move(loop)),
                 stmt(Store{total, {}, plus(load(total, type, {}), times)})};
  }

 private:
  const Expr& defined(const Expr& e) const {
    const auto* v = std::get_if<Var>(&e->node);
    auto it = v ? lets_.find(v->name) : lets_.end();
    return it == lets_.end() ? e : it->second;
  }

  bool is_from_outside(const Expr& e) const {
    return !reads_memory(e) && std::ranges::none_of(free_names(e), [&](const Name& n) { return inside_.contains(n); });
  }

  static bool reads_memory(const Expr& e) {
    bool reads = false;
    for_each_expr(e, [&](const Expr& part) { reads |= std::holds_alternative<Load>(part->node); });
    return reads;
  }

  bool is_of_loops_around(const Expr& e) const {
    return std::ranges::any_of(free_names(e), [&](const Name& n) { return around_.contains(n); });
  }

  Product product_of(const Expr& e) const {
    if (is_from_outside(e)) return {nullptr, e};
    const auto* o = std::get_if<Operation>(&defined(e)->node);
    if (o && o->op.family == Family::Mul) {
      const Product a = product_of(o->args[0]), b = product_of(o->args[1]);
      return {times(a.inner, b.inner), times(a.outer, b.outer)};
    }
    const bool converts = o && (o->op.family == Family::ZExt || o->op.family == Family::SExt);
    if (converts && prim::size_bytes(o->args[0]->type) >= prim::size_bytes(e->type)) {
      const Product a = product_of(o->args[0]);
      auto low = [&](const Expr& x) { return x ? operation(o->op, {x}) : x; };
      return {low(a.inner), low(a.outer)};
    }
    return {e, nullptr};
  }

  static Expr times(const Expr& a, const Expr& b) {
    return !a ? b : !b ? a : operation(prim::Op(Family::Mul, a->type), {a, b});
  }

  const For& loop_;
  const NameSet& around_;
  NameSet inside_;
  Substitution lets_;  // of the loop's body
};

struct Factor : Rebuilder<Factor> {
  NameSource& names;
  NameSet around;
  bool changed = false;

  explicit Factor(NameSource& names) : names(names) {}

  void stmts(const Stmt& s, Block& out) {
    const auto* loop = std::get_if<For>(&s->node);
    if (!loop || !is_sequential(*loop)) return Rebuilder::stmts(s, out);
    if (auto factored = Sum(*loop, around).factored(names)) {
      changed = true;
      out.insert(out.end(), factored->begin(), factored->end());
      return;
    }
    NameSet outer = around;
    around.merge(bound_in(loop->body));
    around.insert(loop->index);
    Rebuilder::stmts(s, out);
    around = std::move(outer);
  }
};

}  // namespace

Block factor_sums(const Block& block, NameSource& names) {
  Block result = block;
  Factor factor(names);
  factor.body(result);
  return factor.changed ? without_unused(result) : block;
}

}  // namespace heddle::nest
