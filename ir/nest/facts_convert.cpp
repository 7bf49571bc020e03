// Integer expressions as polynomials of the same signed value.
#include <limits>

#include "ir/nest/facts.h"
#include "ir/nest/float_range.h"
#include "ir/nest/traverse.h"
#include "ir/prim/division.h"
#include "ir/support/error.h"

namespace heddle::nest {

using prim::Family;
using prim::Type;

namespace {

constexpr int64_t kSmallBits = 40;
constexpr int64_t kSmall = int64_t{1} << kSmallBits;  // sizes and indices lie below
constexpr int64_t kSmallFactor = int64_t{1} << 20;    // what one of them may be multiplied with

// What depends on each other is taken up again so deep when more is assumed. Indices are not deeper; a chain of carries
// is as deep as it is long.
constexpr int kMaxRenewals = 8;
// Conditions of choices that are decided while another one is: each may assume something of its own, so that each
// further one multiplies the work.
constexpr int kMaxDeciding = 2;

// Counts how often something is going on, within itself.
struct Nested {
  int& count;
  bool counts;
  explicit Nested(int& count, bool counts = true) : count(count), counts(counts) { count += counts; }
  ~Nested() { count -= counts; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
};

int bits(Type type) { return 8 * prim::size_bytes(type); }

struct Range {
  int64_t low, high;
};

// INT64_MIN is left out: no goal needs it, and its negation is no int64_t.
Range range_of(Type type) {
  int64_t high = type == Type::I64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << (bits(type) - 1)) - 1;
  return {type == Type::I64 ? -high : -high - 1, high};
}

}  // namespace

// ---- Unknowns. ----

Polynomial Facts::variable(const Name& name, Type type) {
  if (type != Type::I64 && remember_in(ranged_, name)) {
    Range range = range_of(type);
    Polynomial v = Polynomial::of(name);
    mark_new_small(name);
    learn(v - range.low);
    learn(range.high - v);
  }
  return Polynomial::of(name);
}

Polynomial Facts::fresh(Type type) {
  Name name = names_.fresh("unknown");
  unknowns_.push_back(name);
  return variable(name, type);
}

Facts::Unknown Facts::unknown(const prim::Op& op, const std::vector<Polynomial>& args) {
  Type type = prim::result_type(op);
  auto it = unknown_operations_.find(UnknownView{op, args});
  if (it != unknown_operations_.end()) return {variable(it->second, type), false};
  Polynomial name = fresh(type);
  remember_new(unknown_operations_, {op, args}, *name.as_name());
  return {name, true};
}

template <class Key>
size_t Facts::UnknownHash::operator()(const Key& key) const {
  size_t h = static_cast<size_t>(key.op.family) * 256 + static_cast<size_t>(key.op.type) * 16;
  for (const Polynomial& p : key.args) h = h * 31 + p.hash();
  return h;
}

// Of what is on top: enough to tell most apart, and no walk through what is shared.
size_t Facts::UnknownHash::operator()(const Expr& e) const {
  size_t h = e->node.index();
  struct Mix : Walker<Mix> {
    size_t& h;
    int depth_left = 3;
    explicit Mix(size_t& h) : h(h) {}
    void use(const Name& n) { h = h * 31 + std::hash<Name>{}(n); }
    void expr(const Expr& e) {
      h = h * 31 + e->node.index();
      if (const auto* c = std::get_if<Const>(&e->node)) h = h * 31 + static_cast<size_t>(c->value.i);
      if (const auto* o = std::get_if<Operation>(&e->node)) h = h * 31 + static_cast<size_t>(o->op.family);
      if (depth_left-- > 0) Walker::expr(e);
      ++depth_left;
    }
  } mix(h);
  mix.expr(e);
  return h;
}

Facts::Unknown Facts::unknown(const Expr& e) {
  if (reads_memory(e)) return {fresh(e->type), true};
  if (auto it = unknown_exprs_.find(e); it != unknown_exprs_.end()) return {variable(it->second, e->type), false};
  Polynomial name = fresh(e->type);
  remember_new(unknown_exprs_, e, *name.as_name());
  return {name, true};
}

bool Facts::reads_memory(const Expr& e) const {
  struct Find : Walker<Find> {
    const std::unordered_set<Name>& constant;
    std::unordered_set<const ExprNode*> seen;  // what occurs several times is looked at once
    bool reads = false;
    explicit Find(const std::unordered_set<Name>& constant) : constant(constant) {}
    void expr(const Expr& e) {
      bool is_leaf = std::holds_alternative<Var>(e->node) || std::holds_alternative<Const>(e->node);
      if (reads || is_leaf || !seen.insert(e.get()).second) return;
      const auto* l = std::get_if<Load>(&e->node);
      reads = l && !constant.contains(l->buffer);
      Walker::expr(e);
    }
  } find(constant_buffers_);
  find.expr(e);
  return find.reads;
}

// ---- What cannot wrap around. ----

bool Facts::follows(const Polynomial& not_negative) const {
  if (auto c = not_negative.as_constant()) return *c >= 0;
  return !is_converted_enough() && inequalities_.prove(not_negative);
}

bool Facts::within(const Polynomial& p, int64_t low, int64_t high) const try {
  if (auto c = p.as_constant()) return low <= *c && *c <= high;
  return !is_converted_enough() && inequalities_.prove_within(p - low, small_, kSmall) &&
         inequalities_.prove_within(high - p, small_, kSmall);
} catch (const Refused&) {
  return false;
}

bool Facts::is_small(const Name& name) {
  if (small_.contains(name)) return true;
  if (auto it = not_small_.find(name); it != not_small_.end() && it->second == epoch_) return false;
  bool small = within(Polynomial::of(name), -kSmall, kSmall);
  if (small) {
    mark_new_small(name);
  } else {
    not_small_.insert_or_assign(name, epoch_);
  }
  return small;
}

bool Facts::is_small(const Polynomial& p) {
  for (const poly::Term& t : p.terms()) {
    int64_t most = t.monomial.empty() ? kSmall : kSmallFactor;
    if (t.coefficient > most || t.coefficient < -most) return false;
    // Products are small as far as arrays may have such sizes: powers of sizes, but not high powers of indices.
    for (size_t k = 0; k < t.monomial.size(); ++k) {
      const Name& n = t.monomial[k];
      size_t power = 4;
      if (!sizes_.contains(n)) power = 2;
      if (k >= power && t.monomial[k - power] == n) return false;
      if (!is_small(n)) return false;
    }
  }
  return true;
}

std::optional<Polynomial> Facts::unless_wrapped(std::optional<Polynomial> exact, Type type) {
  if (exact && type == Type::I64 && is_small(*exact)) return exact;
  Range range = range_of(type);
  if (exact && within(*exact, range.low, range.high)) return exact;
  exact_ = false;
  return std::nullopt;
}

// ---- Expressions. ----

Polynomial Facts::convert_variable(const Name& name, Type type) {
  Work work(*this);
  auto it = known_.find(name);
  bool is_renewal = it != known_.end();
  if (is_renewal) {
    const Known& known = it->second;
    // What held under fewer assumptions still holds.
    if (known.exact || known.epoch == epoch_ || renewals_ == kMaxRenewals || is_converted_enough()) {
      exact_ &= known.exact;
      return known.value;
    }
  }
  Expr definition = this->definition(name);
  if (!definition) return variable(name, type);
  bool outer_exact = exact_;
  exact_ = true;
  Polynomial value;
  const auto* l = std::get_if<Load>(&definition->node);
  Nested renewal(renewals_, is_renewal);
  if (l && !constant_buffers_.contains(l->buffer)) {
    value = variable(name, type);
  } else if (const auto* o = std::get_if<Operation>(&definition->node); o && sizes_.contains(name)) {
    std::vector<Polynomial> args;
    std::optional<Polynomial> p = convert_operation(*o, args);
    value = p ? *p : variable(name, type);
  } else {
    value = convert(definition);
  }
  remember_in(known_, name, Known{value, exact_, epoch_});
  exact_ &= outer_exact;
  return value;
}

std::optional<bool> Facts::decide_choice(const Expr& condition) {
  if (deciding_ == kMaxDeciding || is_converted_enough()) {
    exact_ = false;
    return std::nullopt;
  }
  Nested deciding(deciding_);
  int64_t last_step = last_step_;
  last_step_ -= reserve_;
  std::optional<bool> decided = decide(condition);
  last_step_ = last_step;
  return decided;
}

Polynomial Facts::convert(const Expr& e) {
  if (!prim::is_int(e->type)) return unknown(e).name;
  if (std::optional<int64_t> value = int_constant(e)) return *value;
  if (const auto* v = std::get_if<Var>(&e->node)) return convert_variable(v->name, e->type);
  Work work(*this);
  if (is_converted_enough()) {
    exact_ = false;
    return fresh(e->type);
  }
  if (const auto* o = std::get_if<Operation>(&e->node)) {
    std::vector<Polynomial> args;
    if (std::optional<Polynomial> p = convert_operation(*o, args)) return *p;
    if (auto range = rounded_range(*o, [this](const Name& n) { return definition(n); })) {
      Unknown u = unknown(e);
      if (u.is_new) {
        learn(u.name - range->low);
        learn(range->high - u.name);
        if (-kSmall <= range->low && range->high <= kSmall) mark_new_small(*u.name.as_name());
      }
      return u.name;
    }
    exact_ = false;
    return args.empty() || reads_memory(e) ? unknown(e).name : unknown(o->op, args).name;
  }
  if (const auto* s = std::get_if<Select>(&e->node)) {
    if (std::optional<bool> decided = decide_choice(s->condition)) return convert(*decided ? s->if_true : s->if_false);
    Unknown u = unknown(e);
    if (!u.is_new || reads_memory(e)) return u.name;
    add_choice(*u.name.as_name(), {s->condition, {}, convert(s->if_true), convert(s->if_false)});
    return u.name;
  }
  return unknown(e).name;
}

void Facts::add_choice(const Name& name, Choice choice) {
  if (is_small(choice.first) && is_small(choice.second)) mark_new_small(name);
  remember_new(choices_, name, Choice(std::move(choice)));
}

Facts::Unknown Facts::choose(const prim::Op& op, const std::vector<Polynomial>& args, Choice choice) {
  if (follows(choice.if_positive)) return {choice.first, false};
  if (follows(-choice.if_positive)) return {choice.second, false};
  Unknown chosen = unknown(op, args);
  if (chosen.is_new) add_choice(*chosen.name.as_name(), std::move(choice));
  return chosen;
}

// Gives the operands' polynomials, too, where the operation is none but is one of integers.
std::optional<Polynomial> Facts::convert_operation(const Operation& o, std::vector<Polynomial>& args) {
  Type type = prim::result_type(o.op);
  if (!prim::is_int(type)) return std::nullopt;
  if (o.op.family == Family::BToI) {
    if (std::optional<bool> decided = decide_choice(o.args[0])) return *decided ? 1 : 0;
    if (reads_memory(o.args[0])) return std::nullopt;
    Unknown u = unknown(select(o.args[0], constant(prim::one(type)), constant(prim::zero(type))));
    if (u.is_new) {
      add_choice(*u.name.as_name(), {o.args[0], {}, 1, 0});
      learn(u.name);
      learn(1 - u.name);
    }
    return u.name;
  }
  if (!prim::is_int(o.op.type)) return std::nullopt;
  args.reserve(o.args.size());
  for (const Expr& x : o.args) args.push_back(convert(x));
  static const Polynomial none;
  const Polynomial &a = args[0], &b = args.size() > 1 ? args[1] : none;
  auto exactly = [&](auto compute) -> std::optional<Polynomial> {
    try {
      return unless_wrapped(compute(), type);
    } catch (const Refused&) {
      return unless_wrapped(std::nullopt, type);
    }
  };
  // Of one of two values, min(n - 1, max(0, i)), whether neither exceeds the other operand.
  auto chosen_below = [&](const Polynomial& chosen, const Polynomial& most) {
    std::optional<Name> name = chosen.as_name();
    auto it = name ? choices_.find(*name) : choices_.end();
    return it != choices_.end() && follows(most - it->second.first) && follows(most - it->second.second);
  };
  switch (o.op.family) {
    case Family::Add:
    case Family::AddNw:
      return exactly([&] { return a + b; });
    case Family::Sub:
    case Family::SubNw:
      return exactly([&] { return a - b; });
    case Family::Mul:
    case Family::MulNw:
      return exactly([&] { return a * b; });
    case Family::Neg:
      return exactly([&] { return -a; });
    case Family::SMin: {
      if (chosen_below(b, a)) return b;
      if (chosen_below(a, b)) return a;
      Unknown m = choose(o.op, {a, b}, {nullptr, b - a, a, b});
      if (m.is_new) {
        learn(a - m.name);
        learn(b - m.name);
      }
      return m.name;
    }
    case Family::SMax: {
      Unknown m = choose(o.op, {a, b}, {nullptr, a - b, a, b});
      if (m.is_new) {
        learn(m.name - a);
        learn(m.name - b);
        learn_clamped(m.name, a, b);
        learn_clamped(m.name, b, a);
      }
      return m.name;
    }
    case Family::Abs: {
      std::optional<Polynomial> negated = exactly([&] { return -a; });
      if (!negated) return std::nullopt;
      Unknown m = choose(o.op, {a}, {nullptr, a, a, *negated});
      if (m.is_new) learn(m.name);
      return m.name;
    }
    case Family::SSignum: {
      if (follows(a - 1)) return 1;
      if (follows(-a - 1)) return -1;
      if (a.is_zero()) return 0;
      exact_ = false;
      Unknown s = unknown(o.op, {a});
      if (s.is_new) {
        learn(s.name + 1);
        learn(1 - s.name);
        if (follows(a)) learn(s.name);
      }
      return s.name;
    }
    case Family::SExt:
      return unless_wrapped(a, type);
    case Family::ZExt: {
      if (bits(type) <= bits(o.op.type)) return unless_wrapped(a, type);
      if (follows(a)) return a;
      Unknown extended = unknown(o.op, {a});
      if (extended.is_new) {
        learn(extended.name);
        learn((int64_t{1} << bits(o.op.type)) - 1 - extended.name);
        mark_new_small(*extended.name.as_name());
      }
      return extended.name;
    }
    case Family::Shl:
    case Family::LShr:
    case Family::AShr:
    case Family::And:
      return convert_shift(o, a, b);
    default:
      return prim::division(o.op) ? division(o.op, a, b) : std::nullopt;
  }
}

// Of max(low, min(x, y)) where low <= x is known: it is no more than x.
void Facts::learn_clamped(const Polynomial& max, const Polynomial& low, const Polynomial& other) {
  std::optional<Name> name = other.as_name();
  auto it = name ? choices_.find(*name) : choices_.end();
  if (it == choices_.end() || it->second.condition) return;
  Choice c = it->second;
  if (c.if_positive != c.second - c.first) return;
  for (const Polynomial& x : {c.first, c.second}) {
    if (follows(x - low)) learn(x - max);
  }
}

std::optional<Polynomial> Facts::convert_shift(const Operation& o, const Polynomial& a, const Polynomial& b) {
  Type type = o.op.type;
  std::optional<int64_t> by = b.as_constant();
  if (o.op.family == Family::And) {
    // With 2^k - 1 it is the remainder, of negative numbers, too.
    if (!by || *by < 0) return std::nullopt;
    if ((*by & (*by + 1)) == 0 && *by < std::numeric_limits<int64_t>::max()) {
      return division(prim::Op(Family::SMod, type), a, *by + 1);
    }
    Unknown masked = unknown(o.op, {a, b});
    if (masked.is_new) {
      learn(masked.name);
      learn(*by - masked.name);
    }
    return masked.name;
  }
  if (o.op.family == Family::Shl && !by) {
    // 1 << s, where s is known to be so small that it is, too.
    if (type != Type::I64 || a.as_constant() != 1 || !within(b, 0, kSmallBits)) return std::nullopt;
    Unknown power = unknown(o.op, {a, b});
    if (power.is_new) {
      learn(power.name - 1);
      learn(kSmall - power.name);
      mark_new_small(*power.name.as_name());
    }
    return power.name;
  }
  if (!by || *by < 0 || *by >= bits(type) - 1) return std::nullopt;
  int64_t power = int64_t{1} << *by;
  if (o.op.family == Family::Shl) {
    try {
      return unless_wrapped(a * power, type);
    } catch (const Refused&) {
      return std::nullopt;
    }
  }
  if (o.op.family == Family::LShr && !follows(a)) return std::nullopt;
  return division(prim::Op(Family::SDiv, type), a, power);
}

std::optional<Polynomial> Facts::division(const prim::Op& op, const Polynomial& a, const Polynomial& b) {
  if (!follows(b - 1)) return std::nullopt;
  auto [rounding, is_remainder, is_signed] = *prim::division(op);
  // Of what is not negative, rounding to zero is rounding down, and signs do not matter.
  if ((!is_signed || rounding == prim::Rounding::ToZero) && !follows(a)) return std::nullopt;
  bool is_up = rounding == prim::Rounding::Up;
  if (!is_remainder) {
    if (auto exact = a.divided_by(b)) return exact;
  } else if (follows(a) && follows(b - 1 - a)) {
    return a;
  }
  // One name for the quotient, whatever the operator is that rounds so.
  Unknown q = unknown(prim::Op(is_up ? Family::SDivUp : Family::SDiv, op.type), {a, b});
  Polynomial rest = a - b * q.name;
  if (q.is_new) {
    if (is_small(a)) mark_new_small(*q.name.as_name());
    learn(is_up ? -rest : rest);
    learn(is_up ? rest + b - 1 : b - 1 - rest);
    if (follows(a)) learn(q.name);
  }
  return is_remainder ? rest : q.name;
}

}  // namespace heddle::nest
