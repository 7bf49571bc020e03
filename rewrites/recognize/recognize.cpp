#include "rewrites/recognize/recognize.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/prim/algebra.h"
#include "ir/support/error.h"
#include "rewrites/recognize/zero_padding.h"

namespace heddle::recognize {

namespace {

using nest::Block;
using nest::Expr;
using poly::Polynomial;
using prim::Type;

[[noreturn]] void give_up(std::string reason) { throw WhyNot{std::move(reason), false}; }

[[noreturn]] void not_affine(const Name& buffer, const std::string& index) {
  throw WhyNot{fmt::format("{} is read at {}, which is not affine", buffer.text(), index), true};
}

bool is_neutral(const Expr& e, const prim::Op& op) {
  const auto* c = std::get_if<nest::Const>(&e->node);
  return c && neutral_element(op) == c->value;
}

// What a loop adds to an accumulator: acc = acc op (reduce op over the indices of term).
struct Reduction {
  std::vector<Index> indices;
  prim::Op op;
  Expr term;
  bool conditional = false;  // the program computes terms only where some condition holds
};

// What a register holds while statements are followed: an expression over what was known before them, or the result of
// a reduction that started with such an expression.
struct Known {
  Expr value;  // of a plain register, or the start of the reduction
  std::optional<Reduction> reduction;
};

// Follows the statements of a point, replacing variables by what they stand for.
class Follower {
 public:
  Follower(const PointNest& point, NameSource& names) : point_(point), names_(names) {}

  Contraction run() {
    follow(point_.work);
    if (!result_) give_up("nothing is stored");
    if (!sum_) give_up("there is no reduction");
    return contraction();
  }

 private:
  // ---- Statements. ----

  void follow(const Block& block) {
    for (const nest::Stmt& s : block) std::visit([&](const auto& node) { stmt(node); }, s->node);
  }

  // What is written once and used often would be there as often: such a point is no term.
  Expr resolved(const Expr& e) const {
    Expr result = nest::substitute(values_, with_registers(e));
    if (!has_at_most(kMaxNodes, result)) give_up("a point computes too much");
    return result;
  }

  static constexpr int kMaxNodes = 5000;
  static bool has_at_most(int nodes, const Expr& e) {
    struct Count : nest::Walker<Count> {
      int left;
      explicit Count(int left) : left(left) {}
      void expr(const Expr& e) {
        if (left-- > 0) nest::Walker<Count>::expr(e);
      }
    } count(nodes);
    count.expr(e);
    return count.left >= 0;
  }

  // Registers of rank 0 are replaced by what they hold.
  Expr with_registers(const Expr& e) const {
    struct Replace : nest::Rebuilder<Replace> {
      const Follower& f;
      explicit Replace(const Follower& f) : f(f) {}
      void expr(Expr& e) {
        const auto* load = std::get_if<nest::Load>(&e->node);
        auto it = load ? f.registers_.find(load->buffer) : f.registers_.end();
        if (it == f.registers_.end()) return nest::Rebuilder<Replace>::expr(e);
        if (!it->second.value) give_up("a register is read before anything is stored in it");
        e = it->second.reduction ? f.sum_var(it->first, e->type) : it->second.value;
      }
    } v(*this);
    Expr result = e;
    v.expr(result);
    return result;
  }

  // The result of a reduction, until it is known what becomes of it.
  Expr sum_var(const Name& acc, Type type) const { return nest::var(Name{acc.base, acc.tag}, type); }

  void stmt(const nest::Let& s) { values_.insert_or_assign(s.name, resolved(s.value)); }

  void stmt(const nest::Alloc& s) {
    if (!s.buffer.dims.empty()) give_up("a point needs an array of its own, " + s.buffer.name.text());
    registers_.insert_or_assign(s.buffer.name, Known{});
  }

  void stmt(const nest::Store& s) {
    auto it = registers_.find(s.buffer);
    if (it != registers_.end()) {
      Expr value = resolved(s.value);
      it->second = Known{value, std::nullopt};
      return;
    }
    if (result_) give_up("a point stores more than one result");
    result_ = nest::Store{s.buffer, {}, resolved(s.value)};
    for (const Expr& i : s.index) result_->index.push_back(resolved(i));
  }

  void stmt(const nest::For& s) {
    if (s.role != nest::Role::Serial) give_up("a point contains a loop that is not serial");
    Found found = reduction(s);
    Known& acc = registers_.at(found.acc);
    if (acc.reduction) give_up("two loops reduce into the same accumulator");
    acc.reduction = std::move(found.reduction);
    if (sum_) give_up("a point contains more than one reduction");
    sum_ = found.acc;
  }

  void stmt(const nest::While&) { give_up("a point contains a while loop"); }
  void stmt(const nest::AtomicUpdate&) { give_up("a point updates memory atomically"); }
  void stmt(const nest::Locked&) { give_up("a point updates memory under a lock"); }
  void stmt(const nest::Fail&) { give_up("a point can fail"); }
  template <class Node>
  void stmt(const Node&) {
    give_up("a point works together with others");
  }

  // A branch that only chooses what registers hold is a choice of values.
  void stmt(const nest::If& s) {
    nest::for_each_stmt({nest::stmt(s)}, [](const nest::Stmt& x) {
      if (std::holds_alternative<nest::Fail>(x->node)) give_up("a check that may fail could not be proved to hold");
    });
    Expr condition = resolved(s.condition);
    auto before = registers_;
    auto values_before = values_;
    bool is_reduced = sum_.has_value(), is_stored = result_.has_value();
    follow(s.then_body);
    auto after_then = registers_;
    registers_ = before;
    values_ = values_before;
    follow(s.else_body);
    values_ = values_before;
    if (result_ && !is_stored) give_up("the result is stored on a condition only");
    if (sum_ && !is_reduced) reduce_always(after_then);
    for (auto& [name, known] : registers_) {
      if (!before.contains(name)) continue;
      const Known& then = after_then.at(name);
      if (then.reduction.has_value() != known.reduction.has_value())
        give_up("the result of the reduction is overwritten");
      if (then.value && known.value && then.value != known.value)
        known.value = nest::select(condition, then.value, known.value);
    }
    std::erase_if(registers_, [&](const auto& entry) { return !before.contains(entry.first) && entry.first != sum_; });
  }

  // A branch contains the reduction: it is done in any case, into an accumulator of its own, and the condition chooses
  // whether its result is used.
  void reduce_always(std::unordered_map<Name, Known>& after_then) {
    auto it = after_then.find(*sum_);
    Known& acc = it != after_then.end() && it->second.reduction ? it->second : registers_.at(*sum_);
    Known sum = acc;
    sum.reduction->conditional = true;
    Name name = names_.fresh(*sum_);
    nest::Substitution to_own = {{*sum_, sum_var(name, sum.value->type)}};
    acc = Known{sum_var(*sum_, sum.value->type), std::nullopt};
    for (auto* registers : {&registers_, &after_then}) {
      for (auto& [other, known] : *registers) {
        if (known.value) known.value = nest::substitute(to_own, known.value);
      }
    }
    sum_ = name;
    registers_.insert_or_assign(name, sum);
    after_then.insert_or_assign(name, sum);
  }

  // ---- Reductions. ----

  struct Found {
    Name acc;
    Reduction reduction;
  };

  Found reduction(const nest::For& loop) {
    Follower inner(point_, names_);
    inner.values_ = values_;
    for (const auto& [name, known] : registers_) {
      // Unless the loop changes it, a register keeps its value; if it does, this is the accumulator.
      inner.registers_.emplace(name, known);
    }
    nest::NameSet changed;
    nest::for_each_stmt(loop.body, [&](const nest::Stmt& s) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      if (store && registers_.contains(store->buffer)) changed.insert(store->buffer);
    });
    if (changed.size() != 1) {
      give_up(changed.empty() ? "a loop reduces nothing" : "a loop carries more than one value");
    }
    Name acc = *changed.begin();
    const Expr& initial = registers_.at(acc).value;
    if (!initial) give_up("a loop adds to a register that holds nothing yet");
    Type type = initial->type;
    Expr old = nest::var(names_.fresh("old"), type);
    inner.registers_.insert_or_assign(acc, Known{old, std::nullopt});
    inner.follow(loop.body);
    if (inner.result_) give_up("a loop stores results");
    return {acc, combined(loop, inner.registers_.at(acc), old, inner)};
  }

  struct Accumulated {
    prim::Op op;
    Expr value;
    bool conditional = false;
  };

  static bool is_constant(const Expr& e, bool value) {
    const auto* k = std::get_if<nest::Const>(&e->node);
    return k && k->value == prim::Value::of_bool(value);
  }

  // Of old op value. Where a condition decides whether anything is added, the neutral element is added otherwise.
  static Accumulated accumulated(const Expr& next, const Expr& old) {
    auto is_old = [&](const Expr& e) { return nest::equal(e, old); };
    if (const auto* s = std::get_if<nest::Select>(&next->node); s && (is_old(s->if_true) || is_old(s->if_false))) {
      bool when = is_old(s->if_false);
      Accumulated a = accumulated(when ? s->if_true : s->if_false, old);
      Expr neutral = nest::constant(*neutral_element(a.op));
      return {a.op, nest::select(s->condition, when ? a.value : neutral, when ? neutral : a.value), a.conditional};
    }
    // Once it is known what `and` and `or` come to, what else there is need not be computed.
    if (const auto* s = std::get_if<nest::Select>(&next->node); s && is_old(s->condition) && next->type == Type::Bool) {
      if (is_constant(s->if_false, false)) return {prim::Op(prim::Family::LogAnd, Type::Bool), s->if_true, true};
      if (is_constant(s->if_true, true)) return {prim::Op(prim::Family::LogOr, Type::Bool), s->if_false, true};
    }
    const auto* o = std::get_if<nest::Operation>(&next->node);
    if (!o || o->args.size() != 2 || !neutral_element(o->op)) give_up("a loop is no reduction with a known operator");
    int which = is_old(o->args[0]) ? 0 : is_old(o->args[1]) ? 1 : -1;
    if (which < 0) give_up("a loop does not combine its accumulator with something else");
    return {o->op, o->args[static_cast<size_t>(1 - which)]};
  }

  Reduction combined(const nest::For& loop, const Known& after, const Expr& old, const Follower& inner) const {
    Index index{loop.index, resolved(loop.extent)};
    // The inner loop reduces into the same accumulator.
    if (after.reduction) {
      if (!nest::equal(after.value, old)) give_up("an inner reduction does not start from the outer one's value");
      Reduction r = *after.reduction;
      r.indices.insert(r.indices.begin(), index);
      return r;
    }
    // The loop's value is that of an inner reduction which starts from the loop's old value.
    if (inner.sum_ && after.value && nest::equal(after.value, sum_var(*inner.sum_, old->type))) {
      const Known& sum = inner.registers_.at(*inner.sum_);
      if (!nest::equal(sum.value, old)) give_up("an inner reduction does not start from the outer one's value");
      Reduction r = *sum.reduction;
      r.indices.insert(r.indices.begin(), index);
      return r;
    }
    if (!after.value) give_up("a loop is no reduction with a known operator");
    auto [op, rest, conditional] = accumulated(after.value, old);
    if (nest::free_names(rest).contains(std::get<nest::Var>(old->node).name))
      give_up("what is accumulated depends on the accumulator");
    if (!inner.sum_) return {{index}, op, rest, conditional};
    // The sum of inner sums is one sum, if each of them starts at the neutral element; what guards such a sum guards its terms.
    const Known& sum = inner.registers_.at(*inner.sum_);
    const Guarded of_sum = guarded(rest);
    const bool or_nothing = of_sum.guards.empty() || *of_sum.otherwise == neutral_element(op);
    const bool ask_for_it =
        std::ranges::any_of(of_sum.guards, [&](const Expr& g) { return nest::free_names(g).contains(*inner.sum_); });
    if (!nest::equal(of_sum.value, sum_var(*inner.sum_, rest->type)) || !or_nothing || ask_for_it)
      give_up("something is done to an inner reduction's result");
    if (!sum.reduction) give_up("the result of an inner reduction is overwritten");
    Reduction r = *sum.reduction;
    if (r.op != op) give_up("nested reductions have different operators");
    if (!is_neutral(sum.value, r.op)) give_up("an inner reduction does not start at its neutral element");
    r.indices.insert(r.indices.begin(), index);
    r.term = of_sum.with(r.term);
    r.conditional |= conditional || !of_sum.guards.empty();
    return r;
  }

  // ---- The match. ----

  Contraction contraction() {
    const Known& sum = registers_.at(*sum_);
    if (!sum.reduction) give_up("the result of the reduction is overwritten");
    const Reduction& r = *sum.reduction;
    Contraction c{point_.indices, r.indices, {}, r.term, r.op, *neutral_element(r.op), names_.fresh("sum"), *result_};
    check_extents(c);
    find_operands(c, c.term, r.conditional, Absorbs::Anything);
    if (c.operands.empty()) give_up("nothing is read");
    c.unguarded = unguarded(c, r);
    epilogue(c, sum);
    return c;
  }

  static void check_extents(const Contraction& c) {
    nest::NameSet indices;
    for (const auto* list : {&c.parallel, &c.reduction}) {
      for (const Index& i : *list) indices.insert(i.name);
    }
    for (const auto* list : {&c.parallel, &c.reduction}) {
      for (const Index& i : *list) {
        for (const Name& n : nest::free_names(i.extent)) {
          if (indices.contains(n)) give_up(fmt::format("the extent of {} depends on another index", i.name.text()));
        }
        bool loads = false;
        nest::for_each_expr(i.extent, [&](const Expr& e) { loads |= std::holds_alternative<nest::Load>(e->node); });
        if (loads) give_up(fmt::format("the extent of {} is read from memory", i.name.text()));
      }
    }
  }

  bool is_index(const Contraction& c, const Name& name) const {
    auto same = [&](const Index& i) { return i.name == name; };
    return std::any_of(c.parallel.begin(), c.parallel.end(), same) ||
           std::any_of(c.reduction.begin(), c.reduction.end(), same);
  }

  // The term where zeros also stand for guards around products of floats: a sum of floats tells by itself where that was wrong, as long as what is done
  // to the products passes on what is no number (passes_on).
  std::optional<Expr> unguarded(const Contraction& c, const Reduction& r) {
    if (c.reduce.family != prim::Family::FAdd) return std::nullopt;
    Contraction other = c;
    other.term = r.term;
    try {
      find_operands(other, other.term, r.conditional, Absorbs::Numbers);
    } catch (const WhyNot&) {
      return std::nullopt;
    }
    if (other.operands.size() > c.operands.size() || nest::equal(other.term, c.term)) return std::nullopt;
    return other.term;
  }

  // Replaces the elements that the term reads by names of operands. `conditional`: not all of them are read everywhere.
  void find_operands(Contraction& c, Expr& term, bool conditional, Absorbs absorbs) {
    struct Replace : nest::Rebuilder<Replace> {
      Follower& f;
      Contraction& c;
      const ZeroPadding padding;
      std::vector<const nest::Load*> padded;  // known to be that
      bool conditional;
      bool unguarded;  // what may fail is not kept from it
      Absorbs absorbs;
      Replace(Follower& f, Contraction& c, bool conditional, Absorbs absorbs)
          : f(f),
            c(c),
            padding(f.point_, c.reduction),
            conditional(conditional),
            unguarded(conditional),
            absorbs(absorbs) {}

      void expr(Expr& e) {
        const auto* o = std::get_if<nest::Operation>(&e->node);
        if (unguarded && o && may_fail(*o)) give_up("a condition keeps what is accumulated from failing");
        if (const auto* load = std::get_if<nest::Load>(&e->node)) {
          bool may_be_outside = std::find(padded.begin(), padded.end(), load) != padded.end() ||
                                (conditional && !padding.always_inside(*load));
          e = f.operand(c, *load, e->type, may_be_outside);
        } else if (const auto* s = std::get_if<nest::Select>(&e->node)) {
          choice(nest::Select(*s), e);
        } else {
          below(o && passes_on(o->op), [&] { nest::Rebuilder<Replace>::expr(e); });
        }
      }

      // What is below something that does not pass on what is no number.
      void below(bool passed_on, const std::function<void()>& visit) {
        const Absorbs above = std::exchange(absorbs, passed_on ? absorbs : Absorbs::Anything);
        visit();
        absorbs = above;
      }

      // Where zeros in the place of what lies outside of an array have the same effect, they need no condition. Else it
      // stays in the term, and what it guards is read everywhere.
      void choice(nest::Select s, Expr& e) {
        auto within = [&](bool guarded, Expr& x) {
          bool outer_conditional = std::exchange(conditional, true), outer_unguarded = unguarded;
          unguarded |= !guarded;
          expr(x);
          conditional = outer_conditional;
          unguarded = outer_unguarded;
        };
        if (auto guarded = padding.zero_padded(e, absorbs)) {
          padded.push_back(guarded->load);
          e = guarded->value;
          return within(false, e);
        }
        if (std::optional<Expr> apart = padding.padded_apart(e, absorbs)) {
          e = *apart;
          return expr(e);
        }
        if (std::optional<Expr> factor = padding.guarded_factor(e)) {
          e = *factor;
          return expr(e);
        }
        below(false, [&] { expr(s.condition); });
        within(true, s.if_true);
        within(true, s.if_false);
        e = nest::select(s.condition, s.if_true, s.if_false);
      }

      static bool may_fail(const nest::Operation& o) {
        const auto* divisor = o.args.size() == 2 ? std::get_if<nest::Const>(&o.args[1]->node) : nullptr;
        return prim::can_fail(o.op) && (!divisor || divisor->value == prim::zero(divisor->value.type));
      }
    } v(*this, c, conditional, absorbs);
    v.expr(term);
  }

  Expr operand(Contraction& c, const nest::Load& load, Type elem, bool padded) {
    Operand o{names_.fresh(load.buffer.base), load.buffer, elem, {}, padded};
    for (const Expr& e : load.index) {
      auto p = nest::from_expr(e, nest::no_definition);
      if (!p) not_affine(load.buffer, nest::to_text(e));
      check_affine(c, load.buffer, *p);
      o.index.push_back(std::move(*p));
    }
    for (const Operand& known : c.operands) {
      if (known.buffer == o.buffer && known.index == o.index && known.padded == padded)
        return nest::var(known.value, elem);
    }
    c.operands.push_back(o);
    return nest::var(o.value, elem);
  }

  void check_affine(const Contraction& c, const Name& buffer, const Polynomial& p) const {
    for (const poly::Term& t : p.terms()) {
      auto indices = std::count_if(t.monomial.begin(), t.monomial.end(), [&](const Name& n) { return is_index(c, n); });
      if (indices > 1) not_affine(buffer, p.to_string());
    }
  }

  void epilogue(Contraction& c, const Known& sum) {
    for (size_t k = 0; k < result_->index.size(); ++k) {
      auto in_place = [&](const Index& i) { return nest::equal(result_->index[k], nest::var(i.name, Type::I64)); };
      if (result_->index.size() != c.parallel.size() || std::none_of(c.parallel.begin(), c.parallel.end(), in_place))
        give_up("the result is not stored at the point's indices");
    }
    Type type = sum.value->type;
    Expr total = nest::var(c.sum, type);
    if (!is_neutral(sum.value, c.reduce)) total = nest::operation(c.reduce, {sum.value, total});
    Expr value = nest::substitute({{*sum_, total}}, result_->value);
    for (const Name& n : nest::free_names(value)) {
      for (const Index& r : c.reduction) {
        if (n == r.name) give_up("the result depends on an index of the reduction");
      }
    }
    c.result = nest::Store{result_->buffer, result_->index, value};
  }

  const PointNest& point_;
  NameSource& names_;
  nest::Substitution values_;
  std::unordered_map<Name, Known> registers_;
  std::optional<Name> sum_;  // the accumulator of the only reduction
  std::optional<nest::Store> result_;
};

}  // namespace

std::variant<Contraction, WhyNot> recognize(const PointNest& point, NameSource& names) {
  try {
    return Follower(point, names).run();
  } catch (const WhyNot& why) {
    return why;
  } catch (const Refused& refused) {
    return WhyNot{refused.error.message, false};
  }
}

}  // namespace heddle::recognize
