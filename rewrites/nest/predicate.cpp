#include "rewrites/nest/predicate.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

// a < b with all that is subtracted on the other side, and what a Let computes by its name.
Expr less_without_differences(const Polynomial& a, const Polynomial& b, const std::vector<Stmt>& layers,
                              const Substitution& lets) {
  Polynomial below, above, difference = a - b;
  for (const poly::Term& t : difference.terms()) {
    Polynomial term = Polynomial::of(t);
    if (t.coefficient > 0) {
      below = below + term;
    } else {
      above = above - term;
    }
  }
  Expr left = to_expr(below);
  for (const Stmt& s : layers) {
    const auto* let = std::get_if<Let>(&s->node);
    if (let && from_expr(substitute(lets, let->value), no_definition) == below) left = var(let->name, Type::I64);
  }
  return less(left, to_expr(above));
}

}  // namespace

Result<Rewritten> predicate(const Kernel& kernel, const Name& loop) {
  return rewrite([&]() -> Rewritten {
    const For& f = *find_loop(kernel, loop).loop;
    const auto* o = std::get_if<Operation>(&f.extent->node);
    if (!o || o->op.family != Family::SMin) refuse(fmt::format("the extent of {} is no minimum", loop.text()));
    auto depends = [&](const Expr& e) {
      return std::ranges::any_of(free_names(e), [&](const Name& n) {
        return std::ranges::find(kernel.constants, n) == kernel.constants.end();
      });
    };
    size_t kept = depends(o->args[0]) ? 1 : 0;
    const Expr &tile = o->args[kept], &rest = o->args[1 - kept];
    if (depends(tile)) refuse(fmt::format("neither side of the minimum {} is constant", to_text(f.extent)));
    Substitution lets = index_lets(kernel);
    auto end = from_expr(substitute(lets, rest), no_definition);
    if (!end) refuse(fmt::format("{} is not affine", to_text(rest)));
    // Lets come first, so that the test can name what they compute.
    Block body = f.body;
    size_t num_lets = 0;
    std::vector<Stmt> layers;
    while (num_lets < body.size()) {
      const auto* let = std::get_if<Let>(&body[num_lets]->node);
      if (!let || !is_movable(let->value)) break;
      layers.push_back(body[num_lets++]);
    }
    Expr test = less_without_differences(Polynomial::of(f.index), *end, layers, lets);
    body.erase(body.begin(), body.begin() + static_cast<long>(num_lets));
    layers.push_back(stmt(If{test, {}, {}}));
    Kernel result = with_loop_replaced(kernel, loop, [&](const For&) -> Block {
      return {stmt(For{f.index, tile, f.role, in_layers(layers, body)})};
    });
    return {result, fmt::format("{} fails in just the iterations that {} gains", to_text(test), loop.text()), {}};
  });
}

}  // namespace heddle::nest
