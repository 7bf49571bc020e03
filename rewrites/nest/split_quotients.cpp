#include "rewrites/nest/split_quotients.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "ir/nest/traverse.h"
#include "rewrites/nest/integer_range.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

// The most blocks of a kernel along a dimension.
constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;

// A sum in two parts, of which the first is a multiple of the divisor; null: nothing.
struct Parts {
  Expr multiple, rest;
};

Expr sum(const Expr& a, const Expr& b) { return !a ? b : !b ? a : add(a, b); }
Expr difference(const Expr& a, const Expr& b) { return !b ? a : sub(a ? a : constant(0), b); }

struct Splitter : Rebuilder<Splitter> {
  // ---- What is known of numbers. ----

  IntegerRange range(const Expr& e) const {
    return range_of(e, [&](const Expr& x) -> std::optional<IntegerRange> {
      if (std::ranges::any_of(extents_, [&](const Expr& blocks) { return equal(x, blocks); }))
        return IntegerRange{1, kMostBlocks};
      return range_of_name(x, ranges_);
    });
  }

  // Whether it does not wrap around.
  bool is_exact(const Expr& e) const { return e->type == Type::I64 && !is_within(all_of(Type::I64), range(e)); }

  // A number of which it is a multiple; 0 is one of all.
  int64_t factor(const Expr& e) const {
    if (std::optional<int64_t> c = int_constant(e)) return *c == INT64_MIN ? 1 : std::abs(*c);
    if (const auto* v = std::get_if<Var>(&e->node)) {
      auto it = factors_.find(v->name);
      return it == factors_.end() ? 1 : it->second;
    }
    if (const auto* s = std::get_if<Select>(&e->node)) return std::gcd(factor(s->if_true), factor(s->if_false));
    const auto* o = std::get_if<Operation>(&e->node);
    if (!o || o->args.size() != 2 || !is_exact(e)) return 1;
    switch (o->op.family) {
      case Family::Add:
      case Family::AddNw:
      case Family::Sub:
      case Family::SubNw:
        return std::gcd(factor(o->args[0]), factor(o->args[1]));
      case Family::Mul:
      case Family::MulNw: {
        int64_t product = 0;
        const bool is_known = !__builtin_mul_overflow(factor(o->args[0]), factor(o->args[1]), &product);
        return is_known ? product : 1;
      }
      case Family::SDiv: {
        const std::optional<int64_t> by = int_constant(o->args[1]);
        const int64_t of = factor(o->args[0]);
        return by && of % *by == 0 ? of / *by : 1;
      }
      default:
        return 1;
    }
  }

  // ---- Sums in parts. ----

  Parts parts_of(const Expr& e, int64_t divisor) const {
    if (factor(e) % divisor == 0) return {e, nullptr};
    if (const auto* v = std::get_if<Var>(&e->node)) {
      auto it = sums_.find(v->name);
      if (it == sums_.end()) return {nullptr, e};
      const Parts p = parts_of(it->second, divisor);
      return p.multiple ? p : Parts{nullptr, e};
    }
    const auto* o = std::get_if<Operation>(&e->node);
    if (!o || !is_sum(e)) return {nullptr, e};
    const Parts a = parts_of(o->args[0], divisor), b = parts_of(o->args[1], divisor);
    const bool adds = o->op.family == Family::Add || o->op.family == Family::AddNw;
    return adds ? Parts{sum(a.multiple, b.multiple), sum(a.rest, b.rest)}
                : Parts{difference(a.multiple, b.multiple), difference(a.rest, b.rest)};
  }

  // Whether it is a sum that does not overflow, of what is the same wherever it stands.
  bool is_sum(const Expr& e) const {
    const auto* o = std::get_if<Operation>(&e->node);
    if (!o || o->op.type != Type::I64) return false;
    const bool adds = o->op.family == Family::Add || o->op.family == Family::AddNw || o->op.family == Family::Sub ||
                      o->op.family == Family::SubNw;
    return adds && is_exact(e) && !reads(e);
  }

  static bool reads(const Expr& e) {
    bool found = false;
    for_each_expr(e, [&](const Expr& part) { found |= std::holds_alternative<Load>(part->node); });
    return found;
  }

  Expr split(const Operation& o, const Expr& e) const {
    const std::optional<int64_t> by = int_constant(o.args[1]);
    const bool divides = o.op.family == Family::SDiv, takes_rest = o.op.family == Family::SMod;
    if (o.op.type != Type::I64 || !(divides || takes_rest) || !by || *by <= 1) return e;
    const Parts p = parts_of(o.args[0], *by);
    if (!p.multiple || !p.rest || !is_exact(add(p.multiple, p.rest))) return e;
    const Expr divisor = o.args[1];
    return divides ? add(div(p.multiple, divisor), div(p.rest, divisor)) : mod(p.rest, divisor);
  }

  // ---- The walk. ----

  void expr(Expr& e) {
    Rebuilder::expr(e);
    if (const auto* o = std::get_if<Operation>(&e->node); o && o->args.size() == 2) e = split(*o, e);
  }

  void stmts(const Stmt& s, Block& out) {
    if (const auto* loop = std::get_if<For>(&s->node)) enter(*loop);
    Rebuilder::stmts(s, out);
    const auto* let = std::get_if<Let>(&out.back()->node);
    if (!let || let->value->type != Type::I64) return;
    ranges_.insert_or_assign(let->name, range(let->value));
    factors_.insert_or_assign(let->name, factor(let->value));
    if (is_sum(let->value) || std::holds_alternative<Var>(let->value->node))
      sums_.insert_or_assign(let->name, let->value);
  }

  // A kernel that runs has blocks.
  void enter(const For& loop) {
    if (loop.role == Role::Grid && !int_constant(loop.extent)) extents_.push_back(loop.extent);
    const int64_t most = loop.role == Role::Grid ? kMostBlocks : range(loop.extent).high;
    ranges_.insert_or_assign(loop.index, IntegerRange{0, std::max<int64_t>(most, 1) - 1});
  }

  std::vector<Expr> extents_;  // of the grid
  IntegerRanges ranges_;
  std::unordered_map<Name, int64_t> factors_;
  std::unordered_map<Name, Expr> sums_;  // what names are that are sums
};

}  // namespace

Block split_quotients(Block body) {
  Splitter().body(body);
  return body;
}

}  // namespace heddle::nest
