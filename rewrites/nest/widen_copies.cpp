#include "rewrites/nest/widen_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "rewrites/nest/fill.h"
#include "rewrites/nest/multiples.h"

namespace heddle::nest {

namespace {

using prim::Type;

// Puts expressions in the place of others.
struct Exchange : Rebuilder<Exchange> {
  const std::vector<std::pair<Expr, Expr>>& all;
  explicit Exchange(const std::vector<std::pair<Expr, Expr>>& all) : all(all) {}
  void expr(Expr& e) {
    for (const auto& [old, replacement] : all) {
      if (!equal(e, old)) continue;
      e = replacement;
      return;
    }
    Rebuilder::expr(e);
  }
};

class Widener {
 public:
  Widener(const Kernel& kernel, const Name& tile, const Expr& width, NameSource& names)
      : kernel_(kernel), tile_(allocated(kernel, tile)), width_(width), names_(names) {
    if (!is_fixed(kernel, width) || !is_positive(kernel, width, names))
      refuse(fmt::format("a width of {} is no positive constant", to_text(width)));
    if (tile_.dims.size() < 2) refuse(fmt::format("{} has no rows", tile.text()));
    box_.assign(tile_.dims.begin() + 1, tile_.dims.end());
    std::optional<Expr> columns = exact_quotient(box_.back(), width, names);
    if (!columns) refuse(fmt::format("the rows of {} may be no multiple of {}", tile.text(), to_text(width)));
    pieces_ = box_;
    pieces_.back() = *columns;
  }

  Rewritten run() {
    Kernel result = kernel_;
    result.body = block(kernel_.body);
    if (num_widened_ == 0) refuse(fmt::format("no threads copy single elements to {} together", tile_.name.text()));
    return {result,
            fmt::format("{} neighbours in {} are neighbours where they come from, begin at a multiple of it, and exist "
                        "or do not together",
                        to_text(width_), tile_.name.text()),
            {}};
  }

 private:
  Block block(const Block& b) {
    Block out;
    for (const Stmt& s : b) {
      auto node = s->node;
      if (auto* f = std::get_if<For>(&node)) {
        if (const AsyncCopy* copy = copy_of(s)) {
          out.push_back(widened(s, *copy));
          continue;
        }
        around_.push_back(std::get_if<For>(&s->node));
        f->body = block(f->body);
        around_.pop_back();
      } else if (auto* branch = std::get_if<If>(&node)) {
        branch->then_body = block(branch->then_body);
        branch->else_body = block(branch->else_body);
      } else {
        out.push_back(s);
        continue;
      }
      out.push_back(stmt(std::move(node)));
    }
    return out;
  }

  // The copy of a single element that ends what is done for each number, where the numbers are the tile's elements.
  const AsyncCopy* copy_of(const Stmt& s) const {
    std::optional<Filling> f = filling(s, team_of(around_));
    if (!f || f->body->empty() || !equal(f->count, num_elements(box_))) return nullptr;
    const auto* copy = std::get_if<AsyncCopy>(&f->body->back()->node);
    if (!copy || copy->to != tile_.name || int_constant(copy->elems) != 1) return nullptr;
    std::vector<Expr> at = digits(f->at, box_);
    bool fits = std::equal(at.begin(), at.end(), copy->to_index.begin() + 1, equal);
    bool only_lets = std::ranges::all_of(f->body->begin(), f->body->end() - 1,
                                         [](const Stmt& x) { return std::holds_alternative<Let>(x->node); });
    return fits && only_lets ? copy : nullptr;
  }

  Stmt widened(const Stmt& s, const AsyncCopy& copy) {
    Filling f = *filling(s, team_of(around_));
    std::vector<Expr> at = digits(f.at, box_);
    Multiples multiples(kernel_, width_, names_);
    check(copy, f, at, multiples);
    Stmt wide = fill(
        pieces_, team_of(around_),
        [&](const std::vector<Expr>& piece) {
          std::vector<std::pair<Expr, Expr>> exchanged;
          for (size_t d = 0; d < at.size(); ++d) {
            if (int_constant(at[d])) continue;
            exchanged.emplace_back(at[d], d + 1 == at.size() ? mul(piece[d], width_) : piece[d]);
          }
          Block body = *f.body;
          Exchange(exchanged).body(body);
          AsyncCopy changed = std::get<AsyncCopy>(body.back()->node);
          changed.elems = width_;
          body.back() = stmt(changed);
          if (free_names(body).contains(f.at)) refuse(fmt::format("{} is used by itself", f.at.text()));
          return renamed(body, lets(*f.body), names_);
        },
        names_);
    ++num_widened_;
    Expr test = multiples.test();
    if (std::holds_alternative<Const>(test->node)) return wide;
    return stmt(If{test, {wide}, {s}});
  }

  // With the digits as names, what the copy depends on.
  void check(const AsyncCopy& copy, const Filling& f, const std::vector<Expr>& at, Multiples& multiples) {
    std::vector<std::pair<Expr, Expr>> named;
    for (const Expr& digit : at) {
      if (int_constant(digit)) continue;
      named.emplace_back(digit, var(names_.fresh("digit"), Type::I64));
    }
    if (int_constant(at.back())) refuse(fmt::format("the rows of {} have one element", tile_.name.text()));
    Name column = std::get<Var>(named.back().second->node).name;
    Substitution values;
    auto look_through = [&](Expr e) {
      Exchange(named).expr(e);
      return substitute(values, e);
    };
    for (const Stmt& s : *f.body) {
      if (const auto* let = std::get_if<Let>(&s->node)) values.emplace(let->name, look_through(let->value));
    }
    auto first = [&](const std::vector<Expr>& index) {
      std::vector<Expr> result;
      for (const Expr& e : index) {
        Expr here = look_through(e);
        bool moves = free_names(here).contains(column);
        if (&e == &index.back()) {
          auto p = from_expr(here, no_definition);
          moves = !p || p->degree_in(column) != 1 || p->coefficient(column) != Polynomial(1);
          if (!moves) here = to_expr(p->without(column));
        }
        if (moves) refuse(fmt::format("neighbours in {} are none at {}", tile_.name.text(), to_text(e)));
        result.push_back(here);
      }
      return result;
    };
    multiples.require_row(buffer_named(kernel_, copy.from), first(copy.from_index));
    multiples.require_row(tile_, first(copy.to_index));
    multiples.require_same(look_through(copy.valid), column);
  }

  static NameSet lets(const Block& body) {
    NameSet names;
    for (const Stmt& s : body) {
      if (const auto* let = std::get_if<Let>(&s->node)) names.insert(let->name);
    }
    return names;
  }

  const Kernel& kernel_;
  const Buffer& tile_;
  Expr width_;
  NameSource& names_;
  std::vector<Expr> box_, pieces_;  // what is filled at a time, in elements and in accesses
  std::vector<const For*> around_;
  int num_widened_ = 0;
};

}  // namespace

Result<Rewritten> widen_copies(const Kernel& kernel, const Name& tile, const Expr& width, NameSource& names) {
  return rewrite([&] { return Widener(kernel, tile, width, names).run(); });
}

}  // namespace heddle::nest
