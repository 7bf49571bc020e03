#include "rewrites/nest/peel.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

const Operation* minimum(const Expr& e) {
  const auto* o = std::get_if<Operation>(&e->node);
  return o && o->op.family == Family::SMin ? o : nullptr;
}

// Leaves out what is decided by what is known: which side of a minimum is the smaller one, and tests that always hold.
class Simplify {
 public:
  Simplify(Facts& facts, Substitution lets) : facts_(facts), lets_(std::move(lets)) {}

  Block block(const Block& b) {
    Block out;
    for (const Stmt& s : b) {
      auto node = s->node;
      if (auto* f = std::get_if<For>(&node)) {
        f->extent = extent(f->extent);
        facts_.scope([&] {
          facts_.index(f->index, substitute(lets_, f->extent));
          f->body = block(f->body);
        });
      } else if (auto* branch = std::get_if<If>(&node)) {
        if (branch->else_body.empty() && facts_.prove(substitute(lets_, branch->condition))) {
          Block inner = block(branch->then_body);
          out.insert(out.end(), inner.begin(), inner.end());
          ++num_left_out_;
          continue;
        }
        branch->then_body = block(branch->then_body);
        branch->else_body = block(branch->else_body);
      }
      out.push_back(stmt(std::move(node)));
    }
    return out;
  }

  int num_left_out() const { return num_left_out_; }

 private:
  Expr extent(const Expr& e) {
    const Operation* o = minimum(e);
    if (!o) return e;
    for (size_t k = 0; k < 2; ++k) {
      if (!facts_.prove_at_most(substitute(lets_, o->args[k]), substitute(lets_, o->args[1 - k]))) continue;
      ++num_left_out_;
      return o->args[k];
    }
    return e;
  }

  Facts& facts_;
  Substitution lets_;
  int num_left_out_ = 0;
};

}  // namespace

Result<Rewritten> peel(const Kernel& kernel, const Name& loop, NameSource& names) {
  return rewrite([&]() -> Rewritten {
    LoopSite place = find_loop(kernel, loop);
    const For& f = *place.loop;
    if (f.role != Role::Serial) refuse(fmt::format("{} is {}", loop.text(), to_text(f.role)));
    const auto* tiles = std::get_if<Operation>(&f.extent->node);
    if (!tiles || tiles->op.family != Family::SDivUp)
      refuse(fmt::format("the extent of {}, {}, is no number of tiles", loop.text(), to_text(f.extent)));
    const Expr &size = tiles->args[0], &tile = tiles->args[1];
    Substitution lets = index_lets(kernel);
    Facts facts(names, no_definition);
    learn_site(facts, kernel, place);
    if (!facts.prove_at_most(constant(int64_t{0}), substitute(lets, size)))
      refuse(fmt::format("{} may be negative", to_text(size)));

    // A tile before the last one ends where all do, at the latest.
    Block full = facts.scope([&] {
      Expr end = mul(add(var(loop, Type::I64), constant(int64_t{1})), tile);
      facts.index(loop, substitute(lets, div(size, tile)));
      facts.assume(less(substitute(lets, end), add(substitute(lets, size), constant(int64_t{1}))));
      Simplify simplify(facts, lets);
      Block body = simplify.block(f.body);
      if (simplify.num_left_out() == 0) refuse(fmt::format("full tiles of {} are as the others", loop.text()));
      return body;
    });

    Name last = names.fresh(loop.base + "_rest");
    Expr rest_size = mod(size, tile), num_full = div(size, tile);
    Block rest = substitute({{loop, var(last, Type::I64)}}, f.body);
    struct Rest : Rebuilder<Rest> {
      const Substitution& lets;
      Polynomial in_tile;  // what is left in the tile
      Expr tile, size;
      Rest(const Substitution& lets, Polynomial in_tile, Expr tile, Expr size)
          : lets(lets), in_tile(std::move(in_tile)), tile(std::move(tile)), size(std::move(size)) {}
      void expr(Expr& e) {
        const Operation* o = minimum(e);
        for (size_t k = 0; o && k < 2; ++k) {
          auto p = from_expr(substitute(lets, o->args[k]), no_definition);
          if (!p || *p != in_tile || !equal(o->args[1 - k], tile)) continue;
          e = size;
          return;
        }
        Rebuilder::expr(e);
      }
    };
    auto n = from_expr(substitute(lets, size), no_definition), t = from_expr(tile, no_definition);
    if (n && t) Rest(lets, *n - Polynomial::of(last) * *t, tile, rest_size).body(rest);
    rest = renamed(rest, bound_in(rest), names);
    std::vector<Name> made;
    for_each_stmt(rest, [&](const Stmt& s) {
      if (const auto* inner = std::get_if<For>(&s->node)) made.push_back(inner->index);
    });
    rest.insert(rest.begin(), stmt(Let{last, num_full}));
    Kernel result = with_loop_replaced(kernel, loop, [&](const For&) -> Block {
      return {stmt(For{loop, num_full, Role::Serial, full}), stmt(If{less(constant(int64_t{0}), rest_size), rest, {}})};
    });
    return {result,
            fmt::format("the first {} tiles of {} are full, and what is left is done after them", to_text(num_full),
                        to_text(size)),
            made};
  });
}

}  // namespace heddle::nest
