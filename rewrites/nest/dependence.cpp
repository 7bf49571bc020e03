#include "rewrites/nest/dependence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/prim/algebra.h"

namespace heddle::nest {

namespace {

struct Access {
  Name buffer;
  bool is_write;
  size_t stmt;
  std::vector<std::optional<Polynomial>> index;
  std::vector<const For*> inside;   // the loops of the body around it
  std::optional<prim::Op> reduces;  // an operand or the result of buffer[index] := buffer[index] op ...
};

// Goes through a body and lists what it reads and writes.
class Collector {
 public:
  Collector(const Kernel& kernel, const Block& block) : lets_(index_lets(kernel)) {
    for (size_t k = 0; k < block.size(); ++k) {
      at_ = k;
      stmts({block[k]});
    }
    std::erase_if(accesses_, [&](const Access& a) { return own_.contains(a.buffer); });
  }

  const std::vector<Access>& accesses() const { return accesses_; }

 private:
  void stmts(const Block& block) {
    for (const Stmt& s : block) std::visit([&](const auto& node) { visit(node); }, s->node);
  }

  void visit(const Let& s) { reads(s.value); }
  void visit(const Alloc& s) { own_.insert(s.buffer.name); }
  void visit(const Store& s) {
    for (const Expr& i : s.index) reads(i);
    std::optional<prim::Op> op = reduction(s);
    add(s.buffer, s.index, true, op);
    if (!op) return reads(s.value);
    for (const Expr& a : std::get<Operation>(s.value->node).args) {
      if (is_element(a, s)) {
        add(s.buffer, s.index, false, op);
      } else {
        reads(a);
      }
    }
  }
  void visit(const For& s) {
    reads(s.extent);
    inside_.push_back(&s);
    stmts(s.body);
    inside_.pop_back();
  }
  void visit(const If& s) {
    reads(s.condition);
    stmts(s.then_body);
    stmts(s.else_body);
  }
  void visit(const While&) { refuse("a loop that may go on without bound stands inside"); }
  void visit(const AtomicUpdate&) { refuse("memory is updated atomically inside"); }
  void visit(const Locked&) { refuse("memory is updated under a lock inside"); }
  void visit(const Barrier&) { refuse("a barrier stands inside"); }
  void visit(const Shuffle&) { refuse("lanes shuffle inside"); }
  void visit(const Fail&) { refuse("it may fail inside, and the first failure is the one that is reported"); }
  template <class Node>
  void visit(const Node&) {
    refuse("an asynchronous copy stands inside");
  }

  static bool is_element(const Expr& e, const Store& s) {
    const auto* l = std::get_if<Load>(&e->node);
    return l && l->buffer == s.buffer &&
           std::equal(l->index.begin(), l->index.end(), s.index.begin(), s.index.end(), equal);
  }

  static std::optional<prim::Op> reduction(const Store& s) {
    const auto* o = std::get_if<Operation>(&s.value->node);
    if (!o || o->args.size() != 2 || !prim::neutral_element(o->op)) return std::nullopt;
    for (size_t k = 0; k < 2; ++k) {
      if (is_element(o->args[k], s) && !free_names(o->args[1 - k]).contains(s.buffer)) return o->op;
    }
    return std::nullopt;
  }

  void reads(const Expr& e) {
    for_each_expr(e, [&](const Expr& x) {
      if (const auto* l = std::get_if<Load>(&x->node)) add(l->buffer, l->index, false, std::nullopt);
    });
  }

  void add(const Name& buffer, const std::vector<Expr>& index, bool is_write, std::optional<prim::Op> reduces) {
    Access a{buffer, is_write, at_, {}, inside_, reduces};
    for (const Expr& i : index) a.index.push_back(from_expr(substitute(lets_, i), no_definition));
    accesses_.push_back(std::move(a));
  }

  Substitution lets_;
  size_t at_ = 0;
  std::vector<const For*> inside_;
  NameSet own_;
  std::vector<Access> accesses_;
};

// A product of a coefficient and a difference of indices, which lies between -most and most.
struct Spread {
  Polynomial coefficient, magnitude, most;
  friend bool operator==(const Spread&, const Spread&) = default;
};

class Tester {
 public:
  Tester(const Kernel& kernel, const std::vector<const For*>& loops, const Block& body, NameSource& names)
      : loops_(loops), lets_(index_lets(kernel)), facts_(names, no_definition) {
    learn_sizes(facts_, kernel);
    moving_ = bound_in(body);
    for (const For* l : loops) moving_.insert(l->index);
  }

  std::optional<Dependence> test(const Access& a, const Access& b) {
    Dependence d{a.buffer, a.stmt, b.stmt, std::vector<unsigned>(loops_.size(), kAnyDirection), false};
    d.is_reduction = a.reduces && b.reduces && *a.reduces == *b.reduces;
    // Each direction that is found takes a term out of the other dimensions.
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = 0; k < a.index.size(); ++k) {
        if (!a.index[k] || !b.index[k]) continue;
        if (!restrict_by(a, b, *a.index[k], *b.index[k], d.loops, changed)) return std::nullopt;
      }
    }
    return d;
  }

 private:
  // What the equality of one dimension's indices says of the directions; false if they cannot be equal.
  bool restrict_by(const Access& a, const Access& b, const Polynomial& p, const Polynomial& q,
                   std::vector<unsigned>& directions, bool& changed) {
    Polynomial rest_p = p, rest_q = q;
    std::vector<std::optional<Polynomial>> of_loop(loops_.size());
    for (size_t k = 0; k < loops_.size(); ++k) {
      const Name& i = loops_[k]->index;
      if (p.degree_in(i) > 1 || q.degree_in(i) > 1 || p.coefficient(i) != q.coefficient(i)) return true;
      if (is_moving(p.coefficient(i))) return true;
      if (!p.coefficient(i).is_zero() && directions[k] != kSame) of_loop[k] = p.coefficient(i);
      rest_p = rest_p.without(i);
      rest_q = rest_q.without(i);
    }
    std::optional<std::vector<Spread>> inner = inner_spreads(a, b, rest_p, rest_q);
    if (!inner) return true;
    Polynomial apart = rest_q - rest_p;
    if (is_moving(apart)) return true;
    size_t open = static_cast<size_t>(std::ranges::count_if(of_loop, [](const auto& c) { return c.has_value(); }));
    if (open == 0) return !(inner->empty() && apart.as_constant() && !apart.is_zero());
    for (size_t k = 0; k < loops_.size(); ++k) {
      if (!of_loop[k]) continue;
      if (open == 1 && inner->empty() && !apart.is_zero())
        return restrict_to(apart, *of_loop[k], directions[k], changed);
      if (apart.is_zero() && outweighs(k, of_loop, *inner)) {
        directions[k] = kSame;
        changed = true;
        of_loop[k].reset();
        --open;
      }
    }
    return true;
  }

  // coefficient * difference + apart = 0
  static bool restrict_to(const Polynomial& apart, const Polynomial& coefficient, unsigned& directions, bool& changed) {
    auto x = apart.as_constant(), c = coefficient.as_constant();
    if (!x || !c) return true;
    if (*x % *c != 0) return false;
    unsigned direction = (*x < 0) == (*c > 0) ? kLater : kEarlier;
    if (directions == direction) return true;
    if ((directions & direction) == 0) return false;
    directions = direction;
    changed = true;
    return true;
  }

  // Whether a step of loop k moves the index farther than all others together can.
  bool outweighs(size_t k, const std::vector<std::optional<Polynomial>>& of_loop, const std::vector<Spread>& inner) {
    std::optional<Polynomial> step = magnitude(*of_loop[k]);
    if (!step) return false;
    Polynomial others = 1;
    for (const Spread& s : inner) others = others + s.magnitude * s.most;
    for (size_t l = 0; l < loops_.size(); ++l) {
      if (l == k || !of_loop[l]) continue;
      std::optional<Spread> s = spread(*loops_[l], *of_loop[l]);
      if (!s) return false;
      others = others + s->magnitude * s->most;
    }
    return facts_.prove_at_most(to_expr(others), to_expr(*step));
  }

  // Takes the terms of the body's own loops out of both. None if they do not match, so that nothing bounds their
  // difference.
  std::optional<std::vector<Spread>> inner_spreads(const Access& a, const Access& b, Polynomial& p, Polynomial& q) {
    auto take = [&](const Access& x, Polynomial& rest) -> std::optional<std::vector<Spread>> {
      std::vector<Spread> result;
      for (const For* l : x.inside) {
        if (!rest.mentions(l->index)) continue;
        if (rest.degree_in(l->index) > 1) return std::nullopt;
        std::optional<Spread> s = spread(*l, rest.coefficient(l->index));
        if (!s) return std::nullopt;
        result.push_back(*s);
        rest = rest.without(l->index);
      }
      return result;
    };
    auto of_a = take(a, p), of_b = take(b, q);
    if (of_a != of_b) return std::nullopt;
    return of_a;
  }

  std::optional<Spread> spread(const For& loop, const Polynomial& coefficient) {
    Expr extent = extent_without(loop.extent, lets_, moving_);
    std::optional<Polynomial> m = magnitude(coefficient);
    auto e = extent ? from_expr(extent, no_definition) : std::nullopt;
    if (!e || !m) return std::nullopt;
    return Spread{coefficient, *m, *e - 1};
  }

  std::optional<Polynomial> magnitude(const Polynomial& coefficient) {
    if (is_moving(coefficient)) return std::nullopt;
    if (auto c = coefficient.as_constant()) return *c < 0 ? -coefficient : coefficient;
    if (facts_.prove_at_most(constant(int64_t{0}), to_expr(coefficient))) return coefficient;
    return std::nullopt;
  }

  bool is_moving(const Polynomial& p) const {
    return std::ranges::any_of(p.names(), [&](const Name& n) { return moving_.contains(n); });
  }

  const std::vector<const For*>& loops_;
  Substitution lets_;
  Facts facts_;
  NameSet moving_;  // what may differ between iterations
};

std::string to_text(unsigned direction) {
  switch (direction) {
    case kSame:
      return "=";
    case kEarlier:
    case kLater:
      return "<";
    default:
      return "*";
  }
}

}  // namespace

std::vector<Dependence> dependences(const Kernel& kernel, const std::vector<const For*>& loops, const Block& body,
                                    NameSource& names) {
  Collector collector(kernel, body);
  Tester tester(kernel, loops, body, names);
  const std::vector<Access>& all = collector.accesses();
  std::vector<Dependence> result;
  for (size_t a = 0; a < all.size(); ++a) {
    for (size_t b = a; b < all.size(); ++b) {
      if (all[a].buffer != all[b].buffer || !(all[a].is_write || all[b].is_write)) continue;
      if (auto d = tester.test(all[a], all[b])) result.push_back(*d);
    }
  }
  return result;
}

std::string to_text(const std::vector<Dependence>& all) {
  std::vector<std::string> rows;
  for (const Dependence& d : all) {
    std::vector<std::string> directions;
    for (unsigned direction : d.loops) directions.push_back(to_text(direction));
    std::string row = fmt::format("{} ({}){}", d.buffer.text(), fmt::join(directions, ", "),
                                  d.is_reduction ? " within a reduction" : "");
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
  }
  return rows.empty() ? "none" : fmt::format("{}", fmt::join(rows, ", "));
}

}  // namespace heddle::nest
