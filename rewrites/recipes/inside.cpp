#include "rewrites/recipes/inside.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/nest/discharge.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Operations that borders may be the reason for.
struct CountTests : nest::Walker<CountTests> {
  int64_t count = 0;

  void expr(const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    bool limits =
        o && e->type == prim::Type::I64 && (o->op.family == prim::Family::SMin || o->op.family == prim::Family::SMax);
    bool divides = o && nest::is_division(o->op);
    if (limits || divides || std::holds_alternative<nest::Select>(e->node) || e->type == prim::Type::Bool) ++count;
    Walker::expr(e);
  }
  void stmt(const nest::Stmt& s) {
    if (std::holds_alternative<nest::If>(s->node)) ++count;
    Walker::stmt(s);
  }
};

int64_t count_tests(const nest::Block& work) {
  CountTests tests;
  tests.body(work);
  return tests.count;
}

// No more than this part of a line is to be near each of its ends.
constexpr int64_t kFewNear = 8;

void assume_margins(const std::vector<recognize::Index>& indices, const std::vector<int64_t>& margin,
                    nest::Facts& facts) {
  for (size_t d = 0; d < indices.size(); ++d) {
    if (margin[d] == 0) continue;
    Expr point = nest::var(indices[d].name, prim::Type::I64);
    facts.assume(nest::less(nest::constant(margin[d] - 1), point));
    facts.assume(nest::less(nest::add(point, nest::constant(margin[d])), indices[d].extent));
  }
}

// The least margin, the same for all indices that have one, from which on a larger one leaves no fewer tests.
Inside with_margins(const nest::Block& work, const std::vector<recognize::Index>& indices, nest::Facts& facts) {
  auto within = [&](std::vector<int64_t> margin) {
    return facts.scope([&] {
      assume_margins(indices, margin, facts);
      return Inside{nest::discharge(work, facts), std::move(margin), {}};
    });
  };
  // Where no point is that far away from both ends, anything would follow; and where most points are near an end, as in an image of few
  // channels, what holds for the others is worth little.
  auto everywhere = [&](int64_t m) {
    std::vector<int64_t> margin;
    for (const recognize::Index& i : indices) {
      auto extent = nest::int_constant(i.extent);
      margin.push_back(extent ? std::clamp<int64_t>((*extent - 1) / kFewNear, 0, m) : m);
    }
    return margin;
  };
  const int64_t tests = count_tests(work);
  Inside best{work, everywhere(0), {}};
  if (tests == 0) return best;
  Inside farthest = within(everywhere(recognize::kFarthest));
  const int64_t fewest = count_tests(farthest.work);
  if (fewest == tests) return best;
  for (int64_t m = 0; count_tests(best.work) > fewest; m += m < 4 ? 1 : m / 2) {
    if (m >= recognize::kFarthest) return farthest;
    best = within(everywhere(m));
  }
  for (size_t d = 0; d < indices.size(); ++d) {
    std::vector<int64_t> fewer = best.margin;
    if (std::exchange(fewer[d], 0) == 0) continue;
    Inside tried = within(fewer);
    if (count_tests(tried.work) <= fewest) best = std::move(tried);
  }
  return best;
}

// ---- Borders of others. ----

// Clamps of places that follow the indices to the ends of an array that is read: min(n - 1, e) where n is one of its sizes, and max(c, e).
struct FindLimits : nest::Walker<FindLimits> {
  const std::vector<recognize::Index>& indices;
  nest::Facts& facts;
  std::vector<nest::Polynomial> found;

  FindLimits(const std::vector<recognize::Index>& indices, const nest::Kernel& kernel, nest::Facts& facts)
      : indices(indices), facts(facts) {
    for (const nest::ScalarParam& p : kernel.scalars) parameters_.insert(p.name);
    for (const nest::Buffer& b : kernel.buffers) {
      for (const Expr& size : b.dims) {
        if (std::optional<nest::Polynomial> p = facts.polynomial(size)) sizes_.push_back(*std::move(p));
      }
    }
  }

  void expr(const Expr& e) {
    Walker::expr(e);
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || e->type != prim::Type::I64) return;
    const bool is_min = o->op.family == prim::Family::SMin;
    if (!is_min && o->op.family != prim::Family::SMax) return;
    const std::optional<nest::Polynomial> a = facts.polynomial(o->args[0]), b = facts.polynomial(o->args[1]);
    if (!a || !b) return;
    for (const auto& [end, place] : {std::pair(*a, *b), std::pair(*b, *a)}) {
      if (grows(place) && (is_min ? is_last(end) : is_first(end))) add(is_min ? end - place : place - end);
    }
  }
  void stmt(const nest::Stmt& s) {
    Walker::stmt(s);
    if (const auto* let = std::get_if<nest::Let>(&s->node)) facts.define(let->name, let->value);
  }

 private:
  bool is_last(const nest::Polynomial& end) const {
    return std::ranges::find(sizes_, end + nest::Polynomial(1)) != sizes_.end() && !end.as_constant() && is_known(end);
  }
  static bool is_first(const nest::Polynomial& end) {
    const std::optional<int64_t> n = end.as_constant();
    return n && *n >= 0 && *n <= recognize::kFarthest;
  }
  bool is_known(const nest::Polynomial& p) const {
    return std::ranges::all_of(p.names(), [&](const Name& n) { return parameters_.contains(n); });
  }
  // With each index in it, times a number, and by nothing else.
  bool grows(const nest::Polynomial& place) const {
    nest::Polynomial rest = place;
    for (const recognize::Index& i : indices) {
      if (!place.mentions(i.name)) continue;
      const nest::Polynomial times = place.coefficient(i.name);
      if (place.degree_in(i.name) > 1 || times.as_constant().value_or(0) <= 0) return false;
      rest = rest - times * nest::Polynomial::of(i.name);
    }
    return !place.as_constant() && rest != place && is_known(rest);
  }
  // Of limits that differ in a number, the one that implies the others.
  void add(const nest::Polynomial& limit) {
    for (nest::Polynomial& other : found) {
      const std::optional<int64_t> more = (limit - other).as_constant();
      if (!more) continue;
      if (*more < 0) other = limit;
      return;
    }
    found.push_back(limit);
  }

  nest::NameSet parameters_;
  std::vector<nest::Polynomial> sizes_;
};

// One clamp may be another's place.
constexpr int kClampsWithin = 2;

Inside with_limits(Inside inside, const std::vector<recognize::Index>& indices, const nest::Kernel& kernel,
                   nest::Facts& facts) {
  facts.scope([&] {
    assume_margins(indices, inside.margin, facts);
    for (int k = 0; k < kClampsWithin; ++k) {
      const std::vector<nest::Polynomial> found = facts.scope([&] {
        FindLimits find(indices, kernel, facts);
        find.body(inside.work);
        return std::move(find.found);
      });
      if (found.empty()) return;
      for (const nest::Polynomial& p : found) {
        const bool grows = std::ranges::any_of(
            indices, [&](const recognize::Index& i) { return p.coefficient(i.name).as_constant().value_or(0) > 0; });
        inside.limits.push_back({nest::to_expr(p), grows});
        facts.assume(nest::less(nest::constant(int64_t{-1}), inside.limits.back().value));
      }
      inside.work = nest::discharge(inside.work, facts);
    }
  });
  return inside;
}

}  // namespace

Inside inside_of(const nest::Block& work, const std::vector<recognize::Index>& indices, const nest::Kernel& kernel,
                 nest::Facts& facts) {
  return with_limits(with_margins(work, indices, facts), indices, kernel, facts);
}

Expr within_limits(const Inside& inside, const std::vector<recognize::Index>& indices, const std::vector<Expr>& first,
                   const std::vector<Expr>& last) {
  Expr all = nest::constant(prim::Value::of_bool(true));
  for (const Inside::Limit& limit : inside.limits) {
    nest::Substitution where_least;
    for (size_t d = 0; d < indices.size(); ++d) where_least.emplace(indices[d].name, limit.grows ? first[d] : last[d]);
    all = nest::both(all, nest::less(nest::constant(int64_t{-1}), nest::substitute(where_least, limit.value)));
  }
  return all;
}

}  // namespace heddle::lower
