// Conditions: what they make known, and their proofs. Expressions are converted in facts_convert.cpp.
#include "ir/nest/facts.h"

#include "ir/support/error.h"

namespace heddle::nest {

using prim::Family;
using prim::Type;

namespace {
constexpr int64_t kManyElements = (int64_t{1} << 31) - 1;
constexpr size_t kFewTerms = 8;
// Steps for one question: three times what any index of Futhark's tests needs. Where many have been taken already, in
// kernels of thousands of lines, less must do: a fifth, then, in kernels of tens of thousands, the least that finds the
// plainest proofs.
constexpr int64_t kMaxEffort = 1000, kMaxLateEffort = 200, kLeastEffort = 24;
constexpr int64_t kManySteps = 20'000, kVeryManySteps = 30'000;

int64_t most_steps(int64_t done) {
  if (done < kManySteps) return kMaxEffort;
  return done < kVeryManySteps ? kMaxLateEffort : kLeastEffort;
}
}  // namespace

Facts::Work::Work(Facts& facts) : facts(facts) {
  if (facts.nesting_++ == 0) {
    int64_t done = facts.effort(), most = most_steps(done - facts.done_before_);
    facts.last_step_ = done + most;
    facts.reserve_ = most / 4;
  }
  ++facts.steps_;
}

// ---- Scopes. ----

void Facts::undo_to(size_t mark) {
  while (undo_.size() > mark) {
    undo_.back()();
    undo_.pop_back();
  }
}

void Facts::learn(Polynomial not_negative) {
  if (not_negative.as_constant()) return;
  size_t size = inequalities_.size();
  inequalities_.add(std::move(not_negative));
  remember([this, size] { inequalities_.shrink(size); });
}

// Whether it only says of small numbers that they are, so that proofs need not try it.
bool Facts::says_small(const Polynomial& not_negative) {
  int64_t most = not_negative.constant_term();
  if (most < kManyElements || most > 2 * kManyElements) return false;
  Polynomial rest = not_negative - not_negative.constant_term();
  std::optional<Name> name = (-rest).as_name();
  if (name && !is_small(*name) && inequalities_.prove(-rest)) mark_small(*name);
  return rest.terms().size() <= kFewTerms && is_small(rest);
}

void Facts::size(const Name& name) try {
  Work work(*this);
  if (!remember_in(sizes_, name)) return;
  mark_small(name);
  learn(convert(var(name, Type::I64)));
} catch (const Refused&) {
  // Knowing less is no error, here and below.
}

void Facts::index(const Name& name, const Expr& extent) try {
  Work work(*this);
  remember_in(indices_, name);
  new_epoch();
  mark_small(name);
  Polynomial i = Polynomial::of(name);
  Polynomial n = convert(extent);
  learn(i);
  // Here the extent is at least 1, so of max(0, x) only x is left; it says most, so it comes first.
  std::optional<Name> extent_name = n.as_name();
  if (auto it = extent_name ? choices_.find(*extent_name) : choices_.end(); it != choices_.end()) {
    Choice c = it->second;
    if (inequalities_.prove(-c.first)) learn(c.second - i - 1);
    if (inequalities_.prove(-c.second)) learn(c.first - i - 1);
  }
  learn(n - i - 1);
} catch (const Refused&) {
}

void Facts::define(const Name& name, const Expr& value) {
  if (!remember_new(definitions_, name, value)) definitions_.at(name) = value;
  // Now, so that it is found once and not in the scope of each proof that asks for it.
  if (!prim::is_int(value->type)) return;
  try {
    convert(var(name, value->type));
  } catch (const Refused&) {
    // It will be asked for again, if at all.
  }
}

void Facts::new_epoch() {
  remember([this, old = epoch_] { epoch_ = old; });
  epoch_ = ++last_epoch_;
}

void Facts::mark_new_small(const Name& name) { remember_in(small_, name); }

// What is added to small numbers, and makes a small one, is small itself.
void Facts::mark_small(const Name& name) {
  if (small_.contains(name)) return;
  mark_new_small(name);
  new_epoch();
  Expr e = definition(name);
  const auto* o = e && e->type == Type::I64 ? std::get_if<Operation>(&e->node) : nullptr;
  if (!o) return;
  Family f = o->op.family;
  if (f != Family::Add && f != Family::AddNw && f != Family::Sub && f != Family::SubNw) return;
  for (size_t k = 0; k < 2; ++k) {
    const auto* v = std::get_if<Var>(&o->args[k]->node);
    if (v && is_small(convert(o->args[1 - k]))) mark_small(v->name);
  }
}

void Facts::reconsider() {
  // The copy goes on, so that what is undone later finds its elements.
  auto other = std::make_shared<std::unordered_map<Name, Known>>(known_);
  std::erase_if(*other, [&](const auto& entry) { return definition(entry.first) != nullptr; });
  known_.swap(*other);
  remember([this, other] { known_.swap(*other); });
  new_epoch();
}

Expr Facts::definition(const Name& name) const {
  auto it = definitions_.find(name);
  return it != definitions_.end() ? it->second : outer_(name);
}

// ---- Assuming. ----

namespace {

bool compares_integers(const prim::Op& op) { return prim::kind(op) == prim::Kind::Cmp && prim::is_int(op.type); }

// `b == true` and the like: the condition b and the value it must have.
std::optional<std::pair<Expr, bool>> compared_with_constant(const Operation& o) {
  if (o.op.family != Family::Eq || o.op.type != Type::Bool) return std::nullopt;
  for (size_t k = 0; k < 2; ++k) {
    if (const auto* c = std::get_if<Const>(&o.args[k]->node)) return std::pair(o.args[1 - k], c->value.as_bool());
  }
  return std::nullopt;
}

}  // namespace

void Facts::assume(const Expr& condition, bool holds) {
  new_epoch();
  assume(condition, holds, false);
  retry_pending();
}

bool Facts::assume(const Expr& condition, bool holds, bool is_retry) try {
  Work work(*this);
  if (exhausted()) return false;
  if (const auto* v = std::get_if<Var>(&condition->node)) {
    remember_new(truths_, v->name, holds);
    Expr e = definition(v->name);
    return !e || assume(e, holds, is_retry);
  }
  const auto* o = std::get_if<Operation>(&condition->node);
  if (o && o->op.family == Family::Neg) return assume(o->args[0], !holds, is_retry);
  if (auto c = o ? compared_with_constant(*o) : std::nullopt) return assume(c->first, c->second == holds, is_retry);
  if (o && (o->op.family == Family::LogAnd || o->op.family == Family::LogOr)) {
    bool both = (o->op.family == Family::LogAnd) == holds;
    if (both) {
      bool first = assume(o->args[0], holds, is_retry);
      if (!first) new_epoch();  // What the second says may settle it.
      return assume(o->args[1], holds, is_retry) && first;
    }
    if (std::optional<bool> settled = assume_either(o->args[0], o->args[1], holds)) return *settled;
  } else if (o && compares_integers(o->op)) {
    if (assume_compared(*o, holds)) return true;
  }
  if (is_retry || reads_memory(condition)) return false;
  opaque_.push_back({condition, holds});
  pending_.push_back({{condition, holds}, epoch_});
  remember([this] {
    opaque_.pop_back();
    pending_.pop_back();
  });
  return false;
} catch (const Refused&) {
  return false;
}

// One of two conditions has the value `holds`. None if it may be either, else whether all that it says is known now.
std::optional<bool> Facts::assume_either(const Expr& a, const Expr& b, bool holds) {
  if (prove(a, !holds, 2)) return assume(b, holds, true);
  if (prove(b, !holds, 2)) return assume(a, holds, true);
  return std::nullopt;
}

bool Facts::assume_compared(const Operation& o, bool holds) {
  Polynomial a = convert(o.args[0]), b = convert(o.args[1]);
  Polynomial d = b - a;
  switch (o.op.family) {
    case Family::Slt:
    case Family::Sle: {
      bool strict = o.op.family == Family::Slt;
      Polynomial not_negative = holds ? (strict ? d - 1 : d) : (strict ? -d : -d - 1);
      if (o.op.type != Type::I64 || !says_small(not_negative)) learn(not_negative);
      return true;
    }
    case Family::Ult:
    case Family::Ule: {
      int64_t strictly = o.op.family == Family::Ult ? 1 : 0;
      if (holds && never_negative(b)) {
        learn(a);
        learn(d - strictly);
        return true;
      }
      if (!holds && never_negative(a)) {
        // Also where b is negative, hence large: then a <u b would hold.
        learn(b);
        learn(-d - (1 - strictly));
        return true;
      }
      return false;
    }
    case Family::Eq:
      if (holds) {
        learn(d);
        learn(-d);
        if (o.op.type == Type::I64) use_instead(d);
        return true;
      }
      if (never_negative(d)) {
        learn(d - 1);
        return true;
      }
      if (never_negative(-d)) {
        learn(-d - 1);
        return true;
      }
      return false;
    default:
      return false;
  }
}

// A size that is given, and known to be a polynomial over others, is that from now on.
void Facts::use_instead(const Polynomial& zero) {
  for (const Name& n : zero.names()) {
    Polynomial factor = zero.coefficient(n);
    bool plain = factor.as_constant() == 1 || factor.as_constant() == -1;
    if (!plain || zero.degree_in(n) != 1 || !sizes_.contains(n) || definition(n) || known_.contains(n)) continue;
    Polynomial rest = zero.without(n);
    remember_new(known_, n, Known{factor.as_constant() == 1 ? -rest : rest, true, epoch_});
    return;
  }
}

void Facts::retry_pending() {
  if (retrying_) return;
  retrying_ = true;
  // New facts may settle several in a row; two rounds are enough for what programs contain.
  constexpr size_t kMaxPending = 8;
  size_t begin = pending_.size() > kMaxPending ? pending_.size() - kMaxPending : 0;
  bool settled = false;
  for (size_t k = begin; k < pending_.size(); ++k) {
    // What has just been assumed was tried then.
    if (pending_[k].epoch != epoch_) settled |= settle(k);
  }
  for (size_t k = begin; settled && k < pending_.size(); ++k) settle(k);
  retrying_ = false;
}

bool Facts::settle(size_t pending) {
  Pending& p = pending_[pending];
  if (p.settled) return false;
  p.epoch = epoch_;
  size_t before = inequalities_.size();
  Assumed a = p.assumed;
  bool settled = assume(a.condition, a.holds, true);
  if (settled) {
    pending_[pending].settled = true;
    remember([this, pending] { pending_[pending].settled = false; });
  }
  return settled || inequalities_.size() != before;
}

// ---- Proving. ----

std::optional<bool> Facts::decide(const Expr& condition) try {
  if (const auto* v = std::get_if<Var>(&condition->node)) return decide_variable(v->name, condition);
  const auto* o = std::get_if<Operation>(&condition->node);
  if (o && compares_integers(o->op)) {
    auto decided = scope([&]() -> std::optional<bool> {
      Polynomial a = convert(o->args[0]), b = convert(o->args[1]);
      if (prove_compared(o->op, a, b, true)) return true;
      if (prove_compared(o->op, a, b, false)) return false;
      return std::nullopt;
    });
    return decided ? decided : decide_opaque(condition);
  }
  if (prove(condition, true)) return true;
  if (prove(condition, false)) return false;
  return std::nullopt;
} catch (const Refused&) {
  return std::nullopt;
}

std::optional<bool> Facts::decide_variable(const Name& name, const Expr& variable) {
  auto it = decisions_.find(name);
  if (it != decisions_.end() && (it->second.value || it->second.epoch == epoch_)) return it->second.value;
  std::optional<bool> value;
  if (prove(variable, true)) {
    value = true;
  } else if (prove(variable, false)) {
    value = false;
  }
  remember_in(decisions_, name, Decision{value, epoch_});
  return value;
}

// From conditions that no inequality expresses.
std::optional<bool> Facts::decide_opaque(const Expr& condition) const {
  if (reads_memory(condition)) return std::nullopt;
  for (const Assumed& a : opaque_) {
    if (equal(a.condition, condition)) return a.holds;
  }
  return std::nullopt;
}

bool Facts::prove_at_most(const Expr& a, const Expr& b) try {
  return scope([&] { return never_negative(convert(b) - convert(a)); });
} catch (const Refused&) {
  return false;
}

bool Facts::prove_equal(const Expr& a, const Expr& b) try { return convert(a) == convert(b); } catch (const Refused&) {
  return false;
}

std::optional<Polynomial> Facts::over_indices(const Expr& e) try {
  Polynomial p = convert(e);
  for (const Name& n : p.names()) {
    if (!indices_.contains(n)) return std::nullopt;
  }
  return p;
} catch (const Refused&) {
  return std::nullopt;
}

bool Facts::prove(const Expr& condition, bool holds, int depth) try {
  Work work(*this);
  if (depth <= 0 || exhausted()) return false;
  if (const auto* c = std::get_if<Const>(&condition->node)) return c->value.as_bool() == holds;
  if (const auto* v = std::get_if<Var>(&condition->node)) {
    if (auto it = truths_.find(v->name); it != truths_.end()) return it->second == holds;
    Expr e = definition(v->name);
    return e && prove(e, holds, depth);
  }
  if (const auto* o = std::get_if<Operation>(&condition->node)) {
    if (o->op.family == Family::Neg) return prove(o->args[0], !holds, depth);
    if (auto c = compared_with_constant(*o)) return prove(c->first, c->second == holds, depth);
    if (o->op.family == Family::LogAnd || o->op.family == Family::LogOr) {
      bool both = (o->op.family == Family::LogAnd) == holds;
      if (both) return prove(o->args[0], holds, depth) && prove(o->args[1], holds, depth);
      if (prove(o->args[0], holds, depth - 1)) return true;
      // The second may lean on the first not having that value.
      return scope([&] {
        assume(o->args[0], !holds);
        return prove(o->args[1], holds, depth - 1);
      });
    }
    if (compares_integers(o->op) &&
        scope([&] { return prove_compared(o->op, convert(o->args[0]), convert(o->args[1]), holds); }))
      return true;
  }
  return decide_opaque(condition) == holds;
} catch (const Refused&) {
  return false;
}

bool Facts::prove_compared(const prim::Op& op, const Polynomial& a, const Polynomial& b, bool holds) {
  Polynomial d = b - a;
  switch (op.family) {
    case Family::Slt:
      return never_negative(holds ? d - 1 : -d);
    case Family::Sle:
      return never_negative(holds ? d : -d - 1);
    case Family::Ult:
    case Family::Ule: {
      int64_t strictly = op.family == Family::Ult ? 1 : 0;
      return never_negative(a) && never_negative(b) && never_negative(holds ? d - strictly : -d - (1 - strictly));
    }
    case Family::Eq:
      if (holds) return d.is_zero() || (never_negative(d) && never_negative(-d));
      return never_negative(d - 1) || never_negative(-d - 1);
    default:
      return false;
  }
}

// Of the sizes in max(0, min(w - 1, i + 1)), one is chosen under a condition on another that is chosen itself: `among` are those
// that conditions of the cases so far are about.
bool Facts::never_negative(const Polynomial& p, int cases, std::vector<Name> among) {
  Work work(*this);
  if (inequalities_.prove(p)) return true;
  if (cases == 0 || exhausted()) return false;
  std::vector<Name> candidates = p.names();
  candidates.insert(candidates.end(), among.begin(), among.end());
  for (const Name& n : candidates) {
    auto it = choices_.find(n);
    if (it == choices_.end()) continue;
    Choice c = it->second;
    std::erase(among, n);
    for (const Name& m : c.if_positive.names()) among.push_back(m);
    auto side = [&](bool first) {
      return scope([&] {
        if (c.condition) {
          assume(c.condition, first);
        } else {
          learn(first ? c.if_positive : -c.if_positive - 1);
        }
        const Polynomial& value = first ? c.first : c.second;
        Polynomial difference = Polynomial::of(n) - value;
        learn(difference);
        learn(-difference);
        return never_negative(p.substitute(n, value), cases - 1, among);
      });
    };
    return side(true) && side(false);
  }
  return false;
}

}  // namespace heddle::nest
