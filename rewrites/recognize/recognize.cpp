#include "rewrites/recognize/recognize.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/recognize/operators.h"

namespace heddle::recognize {

namespace {

using nest::Block;
using nest::Expr;
using nest::Name;
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
  Follower(const PointNest& point, seg::NameSource& names) : point_(point), names_(names) {}

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

  Expr resolved(const Expr& e) const { return nest::substitute(values_, with_registers(e)); }

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
    follow(s.then_body);
    auto after_then = registers_;
    registers_ = before;
    values_ = values_before;
    follow(s.else_body);
    values_ = values_before;
    for (auto& [name, known] : registers_) {
      if (!before.contains(name)) continue;
      const Known& then = after_then.at(name);
      if (then.reduction || known.reduction) {
        if (before.at(name).reduction) continue;
        give_up("a reduction depends on a condition");
      }
      if (then.value && known.value && then.value != known.value)
        known.value = nest::select(condition, then.value, known.value);
    }
    std::erase_if(registers_, [&](const auto& entry) { return !before.contains(entry.first); });
    if (sum_ && !registers_.contains(*sum_)) give_up("a reduction depends on a condition");
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
    const auto* o = after.value ? std::get_if<nest::Operation>(&after.value->node) : nullptr;
    if (!o || o->args.size() != 2 || !neutral_element(o->op)) give_up("a loop is no reduction with a known operator");
    auto is_old = [&](const Expr& e) { return nest::equal(e, old); };
    int which = is_old(o->args[0]) ? 0 : is_old(o->args[1]) ? 1 : -1;
    if (which < 0) give_up("a loop does not combine its accumulator with something else");
    const Expr& rest = o->args[static_cast<size_t>(1 - which)];
    if (nest::free_names(rest).contains(std::get<nest::Var>(old->node).name))
      give_up("what is accumulated depends on the accumulator");
    if (!inner.sum_) return {{index}, o->op, rest};
    // The sum of inner sums is one sum, if each of them starts at the neutral element.
    const Known& sum = inner.registers_.at(*inner.sum_);
    if (!nest::equal(rest, sum_var(*inner.sum_, rest->type)))
      give_up("something is done to an inner reduction's result");
    if (!sum.reduction) give_up("the result of an inner reduction is overwritten");
    Reduction r = *sum.reduction;
    if (r.op != o->op) give_up("nested reductions have different operators");
    if (!is_neutral(sum.value, r.op)) give_up("an inner reduction does not start at its neutral element");
    r.indices.insert(r.indices.begin(), index);
    return r;
  }

  // ---- The match. ----

  Contraction contraction() {
    const Known& sum = registers_.at(*sum_);
    if (!sum.reduction) give_up("the result of the reduction is overwritten");
    const Reduction& r = *sum.reduction;
    Contraction c{point_.indices, r.indices, {}, r.term, r.op, *neutral_element(r.op), names_.fresh("sum"), *result_};
    check_extents(c);
    find_operands(c, c.term);
    if (c.operands.empty()) give_up("nothing is read");
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

  // Replaces the elements that the term reads by names of operands.
  void find_operands(Contraction& c, Expr& term) {
    struct Replace : nest::Rebuilder<Replace> {
      Follower& f;
      Contraction& c;
      Replace(Follower& f, Contraction& c) : f(f), c(c) {}
      void expr(Expr& e) {
        std::vector<Expr> guards;
        const nest::Load* padded = guarded_load(e, guards);
        if (padded && f.guards_only_bounds(c, *padded, guards)) {
          e = f.operand(c, *padded, e->type, true);
        } else if (const auto* load = std::get_if<nest::Load>(&e->node)) {
          e = f.operand(c, *load, e->type, false);
        } else {
          nest::Rebuilder<Replace>::expr(e);
        }
      }
    } v(*this, c);
    v.expr(term);
    for (const Name& n : nest::free_names(term)) {
      if (is_index(c, n)) give_up(fmt::format("what is accumulated depends on {} itself", n.text()));
    }
  }

  // The load in nested choices between it and zero, and the conditions for it.
  static const nest::Load* guarded_load(const Expr& e, std::vector<Expr>& guards) {
    const auto* s = std::get_if<nest::Select>(&e->node);
    if (!s) return guards.empty() ? nullptr : std::get_if<nest::Load>(&e->node);
    auto is_zero = [](const Expr& x) {
      const auto* k = std::get_if<nest::Const>(&x->node);
      return k && k->value == prim::zero(x->type);
    };
    if (is_zero(s->if_false)) {
      guards.push_back(s->condition);
      return guarded_load(s->if_true, guards);
    }
    if (!is_zero(s->if_true)) return nullptr;
    guards.push_back(nest::negate(s->condition));
    return guarded_load(s->if_false, guards);
  }

  // Whether the guards hold wherever the index lies inside of the array, so that zeros outside of it do as well. (That
  // the index is inside where they hold is what makes the load legal.)
  bool guards_only_bounds(const Contraction& c, const nest::Load& load, const std::vector<Expr>& guards) const {
    auto same = [&](const nest::Buffer& b) { return b.name == load.buffer; };
    auto buffer = std::find_if(point_.buffers.begin(), point_.buffers.end(), same);
    if (buffer == point_.buffers.end() || !point_.implies) return false;
    // Else it cannot be an operand in any case, and proofs about it may take long.
    auto is_affine = [](const Expr& e) { return nest::from_expr(e, nest::no_definition).has_value(); };
    if (!std::all_of(load.index.begin(), load.index.end(), is_affine)) return false;
    Premises inside{c.reduction, {}};
    for (size_t d = 0; d < load.index.size(); ++d) {
      inside.conditions.push_back(nest::less(nest::constant(int64_t{-1}), load.index[d]));
      inside.conditions.push_back(nest::less(load.index[d], buffer->dims[d]));
    }
    return std::all_of(guards.begin(), guards.end(), [&](const Expr& g) { return point_.implies(inside, g); });
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
  seg::NameSource& names_;
  nest::Substitution values_;
  std::unordered_map<Name, Known> registers_;
  std::optional<Name> sum_;  // the accumulator of the only reduction
  std::optional<nest::Store> result_;
};

}  // namespace

std::variant<Contraction, WhyNot> recognize(const PointNest& point, seg::NameSource& names) {
  try {
    return Follower(point, names).run();
  } catch (const WhyNot& why) {
    return why;
  } catch (const Refused& refused) {
    return WhyNot{refused.error.message, false};
  }
}

}  // namespace heddle::recognize
