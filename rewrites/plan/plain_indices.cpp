#include "rewrites/plan/plain_indices.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "ir/nest/traverse.h"
#include "ir/prim/division.h"
#include "ir/seg/traverse.h"
#include "rewrites/recipes/seg_of_expr.h"
#include "rewrites/seg/needed_stms.h"

namespace heddle::lower {

namespace {

using poly::Polynomial;
using prim::Type;

bool is_division(const prim::Op& op) { return op.type == Type::I64 && prim::division(op).has_value(); }

// Of numbers that are not negative both round the same way; the device divides by products where it is down (codegen/c_expr.h).
prim::Op rounded_down(prim::Op op) {
  using F = prim::Family;
  constexpr std::array<std::pair<F, F>, 4> kSame = {
      {{F::SQuot, F::SDiv}, {F::SQuotSafe, F::SDivSafe}, {F::SRem, F::SMod}, {F::SRemSafe, F::SModSafe}}};
  for (const auto& [to_zero, down] : kSame) {
    if (op.family == to_zero) op.family = down;
  }
  return op;
}

// Whether a number is divided by one that is not written there.
struct FindsDivision {
  bool found = false;
  void use(const Name&) {}
  void bind(const Name&) {}
  template <class B>
  bool enter(const std::shared_ptr<const B>& body) {
    for (const seg::StmPtr& s : body->stms) {
      const auto* e = std::get_if<seg::PrimOp>(&s->exp);
      found |= e && is_division(e->op) && e->args[1].is_var();
    }
    return !found;
  }
};

class PlainIndices {
 public:
  PlainIndices(const HostScope& host, NameSource& names)
      : host_(host), names_(names), facts_(names, [&host](const Name& n) { return host.facts.definition(n); }) {
    host.facts.tell(facts_);
  }

  seg::SegOp run(const seg::SegOp& op) {
    return facts_.scope([&] {
      for (const auto& [index, extent] : op.space.dims) there_is(index, value(extent, Type::I64));
      seg::SegOp result = op;
      result.body = body(op.body);
      return result;
    });
  }
  bool changed() const { return changed_; }

  // What rebuild() asks of us.
  seg::BodyPtr body(const seg::BodyPtr& b) { return plain(b->stms, seg::Body{{}, b->result}); }
  seg::KernelBodyPtr body(const seg::KernelBodyPtr& b) { return plain(b->stms, seg::KernelBody{{}, b->results}); }
  seg::WithAccOp with_acc_op(const seg::WithAccOp& op) { return op; }
  seg::SubExp use(const seg::SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

 private:
  using Quotient = std::tuple<prim::Family, Polynomial, Polynomial>;
  // What has a name already.
  struct Known {
    std::map<Polynomial, Name> values;
    std::map<Quotient, Name> quotients;
  };

  // The statements, and what they are for.
  template <class B>
  std::shared_ptr<const B> plain(const seg::Stms& statements, B body) {
    return facts_.scope([&] {
      const Known outer = known_;
      const seg::NameSet used = seg::free_names(body);
      body.stms = stms(statements);
      drop_dead(body.stms, used);
      known_ = outer;
      return std::make_shared<const B>(std::move(body));
    });
  }

  static nest::Expr value(const seg::SubExp& x, Type type) {
    return x.is_var() ? nest::var(x.name(), type) : nest::constant(x.value());
  }

  static nest::Expr at_least(const nest::Expr& x, int64_t least) {
    return nest::operation(prim::Op(prim::Family::Sle, Type::I64), {nest::constant(least), x});
  }

  // Where there is an index, none of the sizes is zero that its extent is a product of.
  void there_is(const Name& index, const nest::Expr& extent) {
    long_.insert(index);
    facts_.index(index, extent);
    facts_.assume(at_least(extent, 1));
    const std::optional<Polynomial> product = facts_.polynomial(extent);
    if (!product || product->terms().size() != 1) return;
    for (const Name& n : product->names()) {
      const nest::Expr size = nest::var(n, Type::I64);
      if (facts_.prove(at_least(size, 0))) facts_.assume(at_least(size, 1));
    }
  }

  seg::Stms stms(const seg::Stms& in) {
    seg::Builder out(names_);
    for (const seg::StmPtr& s : in) {
      const auto* loop = std::get_if<seg::Loop>(&s->exp);
      const auto* counted = loop ? std::get_if<seg::ForLoop>(&loop->form) : nullptr;
      if (const auto* e = std::get_if<seg::PrimOp>(&s->exp)) {
        out.add(number(*s, *e, out));
      } else {
        facts_.scope([&] {
          if (counted && counted->index_type == Type::I64) there_is(counted->index, value(counted->bound, Type::I64));
          out.add(seg::rebuild(*this, *s));
          return 0;
        });
      }
    }
    return out.take();
  }

  seg::Stm number(const seg::Stm& s, const seg::PrimOp& e, seg::Builder& out) {
    const Type of = prim::arg_type(e.op);
    if (prim::is_float(of) || of == Type::Unit) return s;
    std::vector<nest::Expr> args;
    for (const seg::SubExp& a : e.args) args.push_back(value(a, of));
    const nest::Expr whole = nest::operation(e.op, args);
    seg::Stm result = s;
    if (whole->type == Type::I64) {
      long_.insert(s.pat[0].name);
      std::optional<seg::SubExp> known = is_division(e.op) ? divided(s, e.op, args, out) : named(s, whole);
      if (known) {
        result.exp = seg::Atom{*known};
        changed_ = true;
        facts_.define(s.pat[0].name, value(*known, Type::I64));
        return result;
      }
    }
    if (is_division(e.op) && is_index(s.pat[0].name, e.op, args[0], args[1])) {
      const prim::Op down = rounded_down(e.op);
      changed_ |= down != e.op;
      result.exp = seg::PrimOp{down, e.args};
    } else {
      facts_.define(s.pat[0].name, whole);
    }
    return result;
  }

  // Narrower numbers are names in polynomials, too.
  bool is_long(const Name& n) const {
    auto host = host_.types.find(n);
    return long_.contains(n) || (host != host_.types.end() && host->second == seg::Type::scalar(Type::I64));
  }

  // Another name for it, of those that are in scope.
  std::optional<seg::SubExp> named(const seg::Stm& s, const nest::Expr& e) {
    const std::optional<Polynomial> p = facts_.polynomial(e);
    if (!p) return std::nullopt;
    if (std::optional<int64_t> constant = p->as_constant()) return seg::i64(*constant);
    if (std::optional<Name> name = p->as_name(); name && is_long(*name)) return seg::SubExp(*name);
    auto [it, is_new] = known_.values.emplace(*p, s.pat[0].name);
    return is_new ? std::nullopt : std::optional(seg::SubExp(it->second));
  }

  // The quotient or remainder over names that are in scope, where sizes decide it.
  std::optional<nest::Expr> decided(const prim::Op& op, const nest::Expr& a, const nest::Expr& b) {
    std::optional<nest::Expr> result = facts_.quotient(op, a, b);
    if (result && prim::division(op)->is_remainder) {
      const std::optional<Polynomial> rest = facts_.polynomial(nest::sub(a, nest::mul(b, *result)));
      result = rest ? std::optional(nest::to_expr(*rest)) : std::nullopt;
    }
    if (!result || !std::ranges::all_of(nest::free_names(*result), [&](const Name& n) { return is_long(n); }))
      return std::nullopt;
    return result;
  }

  std::optional<seg::SubExp> divided(const seg::Stm& s, const prim::Op& op, const std::vector<nest::Expr>& args,
                                     seg::Builder& out) {
    if (std::optional<nest::Expr> decided = this->decided(op, args[0], args[1])) return seg_of(*decided, {}, out);
    std::optional<Polynomial> a = facts_.polynomial(args[0]), b = facts_.polynomial(args[1]);
    if (!a || !b) return std::nullopt;
    auto [it, is_new] = known_.quotients.emplace(Quotient{op.family, *a, *b}, s.pat[0].name);
    return is_new ? std::nullopt : std::optional(seg::SubExp(it->second));
  }

  // A quotient of its own, or rest, as an index of which no more is known than between which numbers it lies.
  bool is_index(const Name& name, const prim::Op& op, const nest::Expr& a, const nest::Expr& b) {
    const prim::Division d = *prim::division(op);
    if (!d.is_signed || d.rounding == prim::Rounding::Up) return false;
    if (!facts_.prove(at_least(a, 0)) || !facts_.prove(at_least(b, 1))) return false;
    // Of data no product is known to be exact.
    if (!facts_.prove_small(a) && !(d.is_remainder && facts_.prove_small(b))) return false;
    if (d.is_remainder) {
      facts_.index(name, b);
      return true;
    }
    facts_.index(name, nest::add(a, nest::constant(int64_t{1})));
    const nest::Expr multiple = nest::mul(nest::var(name, Type::I64), b);
    facts_.assume(nest::operation(prim::Op(prim::Family::Sle, Type::I64), {multiple, a}));
    facts_.assume(nest::less(a, nest::add(multiple, b)));
    return true;
  }

  // Integers that nobody needs any more.
  static void drop_dead(seg::Stms& stms, seg::NameSet used) {
    seg::Stms kept;
    for (auto s = stms.rbegin(); s != stms.rend(); ++s) {
      const auto* e = std::get_if<seg::PrimOp>(&(*s)->exp);
      const bool may_go = std::holds_alternative<seg::Atom>((*s)->exp) || (e && !prim::can_fail(e->op));
      if (may_go && !seg::binds_any(**s, used)) continue;
      used.merge(seg::free_names(**s));
      kept.push_back(*s);
    }
    stms.assign(kept.rbegin(), kept.rend());
  }

  const HostScope& host_;
  NameSource& names_;
  nest::Facts facts_;
  seg::NameSet long_;  // the points' own numbers of 64 bits
  Known known_;
  bool changed_ = false;
};

}  // namespace

std::optional<seg::Stm> with_plain_indices(const seg::Stm& s, const HostScope& host, NameSource& names) {
  const auto* op = std::get_if<seg::SegOp>(&s.exp);
  if (!op) return std::nullopt;
  FindsDivision divides;
  seg::walk(divides, s);
  if (!divides.found) return std::nullopt;
  PlainIndices plain(host, names);
  seg::Stm result = s;
  result.exp = plain.run(*op);
  return plain.changed() ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace heddle::lower
