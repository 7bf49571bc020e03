#include "rewrites/recipes/host_checks.h"

#include "ir/nest/traverse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/unused.h"
#include "rewrites/recipes/way.h"

namespace heddle::lower {

namespace {

using nest::Block;
using nest::Expr;
using prim::Family;
using prim::Type;

// What says more is nothing for the host.
constexpr int kMaxNodes = 200;

bool always_fails(const Block& b) { return !b.empty() && std::holds_alternative<nest::Fail>(b.back()->node); }

Expr either(const Expr& a, const Expr& b) { return nest::operation(prim::Op(Family::LogOr, Type::Bool), {a, b}); }

// Of the kernel's scalars alone, without anything that may go wrong.
struct IsForHost : nest::Walker<IsForHost> {
  const nest::Substitution& host;
  bool is = true;
  int nodes_left = kMaxNodes;
  explicit IsForHost(const nest::Substitution& host) : host(host) {}

  void use(const Name& n) { is &= host.contains(n); }
  void expr(const Expr& e) {
    is &= nodes_left-- > 0 && !std::holds_alternative<nest::Load>(e->node);
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (o && prim::can_fail(o->op)) {
      auto by = nest::int_constant(o->args[1]);
      is &= o->op.family != Family::Pow && by && *by > 0;
    }
    if (is) Walker::expr(e);
  }
};

// Follows a point to its checks.
class Corner {
 public:
  struct Check {
    Expr condition;  // over the kernel's scalars
    const nest::Fail* fail;
    std::vector<Expr> args;
  };

  Corner(const nest::Substitution& host, bool is_last) : host_(host), is_last_(is_last) {}

  std::vector<Check> found;

  // Whether there is such a point at all, is then among the conditions.
  void index(const Name& name, const Expr& extent) {
    Expr size = resolved(extent);
    if (!size) return values_.insert_or_assign(name, nullptr), void();
    Expr at = is_last_ ? nest::sub(size, nest::constant(int64_t{1})) : nest::constant(int64_t{0});
    values_.insert_or_assign(name, at);
    reached_ = both(reached_, nest::less(nest::constant(int64_t{0}), size));
  }

  void block(const Block& b) {
    for (const nest::Stmt& s : b) {
      if (const auto* let = std::get_if<nest::Let>(&s->node)) {
        values_.insert_or_assign(let->name, resolved(let->value));
      } else if (const auto* branch = std::get_if<nest::If>(&s->node)) {
        Expr condition = resolved(branch->condition);
        under(condition, branch->then_body);
        under(condition ? nest::negate(condition) : nullptr, branch->else_body);
      } else if (const auto* loop = std::get_if<nest::For>(&s->node)) {
        Expr outside = reached_;
        index(loop->index, loop->extent);
        block(loop->body);
        reached_ = outside;
      }
    }
  }

 private:
  void under(const Expr& condition, const Block& b) {
    if (!always_fails(b)) {
      Expr outside = reached_;
      reached_ = both(reached_, condition);
      block(b);
      reached_ = outside;
      return;
    }
    block(b);
    const auto& fail = std::get<nest::Fail>(b.back()->node);
    Check check{reached_ && condition ? either(nest::negate(reached_), nest::negate(condition)) : nullptr, &fail, {}};
    bool is_for_host = check.condition != nullptr;
    for (const Expr& a : fail.args) {
      check.args.push_back(resolved(a));
      is_for_host &= check.args.back() != nullptr;
    }
    if (is_for_host) found.push_back(std::move(check));
  }

  // Null: not known on the host.
  static Expr both(const Expr& a, const Expr& b) { return a && b ? nest::both(a, b) : nullptr; }

  Expr resolved(const Expr& e) const {
    for (const Name& n : nest::free_names(e)) {
      auto it = values_.find(n);
      if (it == values_.end() ? !host_.contains(n) : it->second == nullptr) return nullptr;
    }
    Expr result = nest::substitute(values_, e);
    IsForHost is_for_host(host_);
    is_for_host.expr(result);
    return is_for_host.is ? result : nullptr;
  }

  const nest::Substitution& host_;
  bool is_last_;
  nest::Substitution values_;
  Expr reached_ = nest::constant(prim::Value::of_bool(true));
};

// How values change from the first point to the last, while each index rises: not at all if both.
struct Direction {
  bool rises = false, falls = false;

  Direction with(Direction other) const { return {rises && other.rises, falls && other.falls}; }
  Direction reversed() const { return {falls, rises}; }
};

// Of a point's values. What is added or multiplied with is so small that nothing wraps around where the value changes from point to point.
class Directions {
 public:
  Directions(const std::vector<recognize::Index>& indices, const nest::Substitution& host) : host_(host) {
    for (const recognize::Index& i : indices) indices_.insert(i.name);
  }

  void define(const Name& name, const Expr& value) { definitions_.insert_or_assign(name, value); }

  // Whether a condition holds everywhere if it does at the first and at the last point.
  bool hold_between(const Expr& condition, bool holds) const {
    const Expr e = looked_up(condition);
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o) return false;
    if (o->op == prim::Op(Family::Neg, Type::Bool)) return hold_between(o->args[0], !holds);
    if (o->op.family == (holds ? Family::LogAnd : Family::LogOr))
      return hold_between(o->args[0], holds) && hold_between(o->args[1], holds);
    if (o->op != prim::Op(Family::Slt, Type::I64) && o->op != prim::Op(Family::Sle, Type::I64)) return false;
    const Direction both = of(o->args[0]).with(of(o->args[1]).reversed());
    return both.rises || both.falls;
  }

 private:
  static constexpr int64_t kSmall = int64_t{1} << 20;

  Expr looked_up(const Expr& e) const {
    const auto* v = std::get_if<nest::Var>(&e->node);
    auto found = v ? definitions_.find(v->name) : definitions_.end();
    return found == definitions_.end() ? e : looked_up(found->second);
  }

  Direction of(const Expr& value) const {
    const Expr e = looked_up(value);
    if (std::holds_alternative<nest::Const>(e->node)) return {true, true};
    if (const auto* v = std::get_if<nest::Var>(&e->node)) {
      if (indices_.contains(v->name)) return {true, false};
      const bool is_fixed = host_.contains(v->name);
      return {is_fixed, is_fixed};
    }
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || e->type != Type::I64 || o->args.size() != 2) return {};
    const Direction a = of(o->args[0]), b = of(o->args[1]);
    const std::optional<int64_t> left = small(o->args[0]), right = small(o->args[1]);
    switch (o->op.family) {
      case Family::SMin:
      case Family::SMax:
        return a.with(b);
      case Family::Add:
        return left || right ? a.with(b) : Direction{};
      case Family::Sub:
        return left || right ? a.with(b.reversed()) : Direction{};
      case Family::Mul:
        return right && *right >= 0 ? a : left && *left >= 0 ? b : Direction{};
      case Family::SDiv:
      case Family::SQuot:
        return right && *right > 0 ? a : Direction{};
      default:
        return {};
    }
  }

  std::optional<int64_t> small(const Expr& value) const {
    const std::optional<int64_t> n = nest::int_constant(looked_up(value));
    return n && -kSmall <= *n && *n <= kSmall ? n : std::nullopt;
  }

  const nest::Substitution& host_;
  nest::NameSet indices_;
  nest::Substitution definitions_;
};

// What a check says at the corners, over the kernel's scalars.
using AtCorners = std::unordered_map<const nest::Fail*, std::vector<Expr>>;

// Leaves out checks that hold at all points if they hold at the corners. Each is looked at with no more than that in mind: proofs
// are short then.
class WithoutChecks : public nest::Rebuilder<WithoutChecks> {
 public:
  WithoutChecks(nest::Facts& facts, const AtCorners& at_corners, Directions directions)
      : facts_(facts), at_corners_(at_corners), directions_(std::move(directions)) {}

  void expr(Expr&) {}

  void stmts(const nest::Stmt& s, Block& out) {
    if (const auto* let = std::get_if<nest::Let>(&s->node)) {
      facts_.define(let->name, let->value);
      directions_.define(let->name, let->value);
    } else if (const auto* branch = std::get_if<nest::If>(&s->node)) {
      if (never(branch->condition, true, branch->then_body)) return inner(branch->else_body, out);
      if (never(branch->condition, false, branch->else_body)) return inner(branch->then_body, out);
      nest::If changed{branch->condition, {}, {}};
      under(branch->condition, true, [&] { inner(branch->then_body, changed.then_body); });
      under(branch->condition, false, [&] { inner(branch->else_body, changed.else_body); });
      return out.push_back(nest::stmt(std::move(changed)));
    } else if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      nest::For changed{loop->index, loop->extent, loop->role, {}};
      ++depth_;
      facts_.scope([&] {
        facts_.index(loop->index, loop->extent);
        inner(loop->body, changed.body);
      });
      --depth_;
      return out.push_back(nest::stmt(std::move(changed)));
    }
    out.push_back(s);
  }

  void inner(const Block& b, Block& out) {
    for (const nest::Stmt& s : b) stmts(s, out);
  }

 private:
  template <class F>
  void under(const Expr& condition, bool holds, F f) {
    ++depth_;
    facts_.scope([&] {
      facts_.assume(condition, holds);
      f();
    });
    --depth_;
  }

  bool never(const Expr& condition, bool holds, const Block& then) {
    if (!always_fails(then)) return false;
    if (facts_.prove(condition, !holds)) return true;
    auto corners = at_corners_.find(&std::get<nest::Fail>(then.back()->node));
    if (corners == at_corners_.end()) return false;
    // Each point comes to it.
    if (depth_ == 0 && corners->second.size() == 2 && directions_.hold_between(condition, !holds)) return true;
    return facts_.scope([&] {
      for (const Expr& c : corners->second) facts_.assume(c);
      facts_.reconsider();
      return facts_.prove(condition, !holds);
    });
  }

  nest::Facts& facts_;
  const AtCorners& at_corners_;
  Directions directions_;
  int depth_ = 0;  // loops and branches around
};

}  // namespace

std::optional<CheckedByHost> checks_by_host(const Block& work, const std::vector<recognize::Index>& indices,
                                            const Launch& launch, nest::Facts& facts) {
  const nest::Substitution host = host_values(launch);
  AtCorners at_corners;
  std::vector<Corner::Check> all;
  for (bool is_last : {false, true}) {
    Corner corner(host, is_last);
    for (const recognize::Index& i : indices) corner.index(i.name, i.extent);
    corner.block(work);
    for (Corner::Check& c : corner.found) {
      at_corners[c.fail].push_back(c.condition);
      bool is_new =
          std::ranges::none_of(all, [&](const Corner::Check& e) { return nest::equal(e.condition, c.condition); });
      if (is_new) all.push_back(std::move(c));
    }
  }
  CheckedByHost result;
  facts.scope([&] { WithoutChecks(facts, at_corners, {indices, host}).inner(work, result.work); });
  if (nest::may_fail(result.work)) return std::nullopt;
  result.work = nest::without_unused(result.work);
  for (Corner::Check& c : all) {
    if (facts.prove(c.condition)) continue;
    for (Expr& a : c.args) a = nest::substitute(host, a);
    result.checks.push_back({nest::substitute(host, c.condition), c.fail->id, std::move(c.args)});
  }
  return result;
}

}  // namespace heddle::lower
