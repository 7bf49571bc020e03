#include "rewrites/nest/integer_range.h"

#include <algorithm>
#include <optional>

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

// Ends beyond which sums of two, and products of two, are not looked at, so that they are computed without overflow.
constexpr IntegerRange kSums{-(int64_t{1} << 61), int64_t{1} << 61};
constexpr IntegerRange kFactors{-(int64_t{1} << 31), int64_t{1} << 31};

IntegerRange hull(const IntegerRange& a, const IntegerRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

int64_t rounded_down(int64_t x, int64_t by) { return x / by - (x % by < 0 ? 1 : 0); }

IntegerRange product(const IntegerRange& a, const IntegerRange& b) {
  auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

// What comes out where nothing wraps around; nullopt where that is not known.
std::optional<IntegerRange> exact(Family family, const IntegerRange& a, const IntegerRange& b) {
  const bool signless = a.low >= 0 && b.low >= 0;
  const bool by_number = b.low == b.high && b.low > 0;
  switch (family) {
    case Family::Add:
    case Family::AddNw:
      if (!is_within(a, kSums) || !is_within(b, kSums)) return std::nullopt;
      return IntegerRange{a.low + b.low, a.high + b.high};
    case Family::Sub:
    case Family::SubNw:
      if (!is_within(a, kSums) || !is_within(b, kSums)) return std::nullopt;
      return IntegerRange{a.low - b.high, a.high - b.low};
    case Family::Mul:
    case Family::MulNw:
      if (!is_within(a, kFactors) || !is_within(b, kFactors)) return std::nullopt;
      return product(a, b);
    case Family::SMin:
      return IntegerRange{std::min(a.low, b.low), std::min(a.high, b.high)};
    case Family::SMax:
      return IntegerRange{std::max(a.low, b.low), std::max(a.high, b.high)};
    case Family::UMin:
      if (!signless) return std::nullopt;
      return IntegerRange{std::min(a.low, b.low), std::min(a.high, b.high)};
    case Family::UMax:
      if (!signless) return std::nullopt;
      return IntegerRange{std::max(a.low, b.low), std::max(a.high, b.high)};
    case Family::SDiv:
      if (!by_number) return std::nullopt;
      return IntegerRange{rounded_down(a.low, b.low), rounded_down(a.high, b.low)};
    case Family::UDiv:
    case Family::SQuot:
      if (!by_number || !signless) return std::nullopt;
      return IntegerRange{a.low / b.low, a.high / b.low};
    case Family::SMod:
      if (!by_number) return std::nullopt;
      return IntegerRange{0, b.low - 1};
    case Family::UMod:
      if (!by_number || !signless) return std::nullopt;
      return IntegerRange{0, std::min(a.high, b.low - 1)};
    case Family::And:
      if (b.low < 0) return std::nullopt;
      return IntegerRange{0, b.high};
    case Family::AShr:
      if (b.low != b.high || b.low < 0 || b.low > 62) return std::nullopt;
      return IntegerRange{a.low >> b.low, a.high >> b.low};
    case Family::LShr:
      if (b.low != b.high || b.low < 0 || b.low > 62 || a.low < 0) return std::nullopt;
      return IntegerRange{a.low >> b.low, a.high >> b.low};
    default:
      return std::nullopt;
  }
}

IntegerRange converted(const prim::Op& op, const IntegerRange& from) {
  const IntegerRange to = all_of(op.to);
  const bool widens = prim::size_bytes(op.to) > prim::size_bytes(op.type);
  const bool keeps = op.family == Family::SExt || !widens || from.low >= 0;
  if (keeps) return is_within(from, to) ? from : to;
  return all_unsigned(op.type);
}

IntegerRange range_of_operation(const Operation& o, Type type, const IntegerRanges& known) {
  const IntegerRange all = all_of(type);
  if (o.op.family == Family::ZExt || o.op.family == Family::SExt) return converted(o.op, range_of(o.args[0], known));
  if (o.op.family == Family::BToI) return {0, 1};
  if (o.op.family == Family::Abs) {
    const IntegerRange a = range_of(o.args[0], known);
    if (a.low == all.low) return all;
    return {std::max({int64_t{0}, a.low, -a.high}), std::max(a.high, -a.low)};
  }
  if (o.args.size() != 2 || !prim::is_int(o.args[0]->type)) return all;
  const auto found = exact(o.op.family, range_of(o.args[0], known), range_of(o.args[1], known));
  return found && is_within(*found, all) ? *found : all;
}

}  // namespace

IntegerRange all_of(Type type) {
  if (type == Type::I64) return {INT64_MIN, INT64_MAX};
  const int64_t half = int64_t{1} << (8 * prim::size_bytes(type) - 1);
  return {-half, half - 1};
}

IntegerRange all_unsigned(Type type) { return {0, (int64_t{1} << (8 * prim::size_bytes(type))) - 1}; }

bool is_within(const IntegerRange& inner, const IntegerRange& outer) {
  return outer.low <= inner.low && inner.high <= outer.high;
}

IntegerRange range_of(const Expr& e, const IntegerRanges& known) {
  if (const auto* c = std::get_if<Const>(&e->node)) return {c->value.i, c->value.i};
  if (const auto* v = std::get_if<Var>(&e->node)) {
    auto it = known.find(v->name);
    return it == known.end() ? all_of(e->type) : it->second;
  }
  if (const auto* s = std::get_if<Select>(&e->node))
    return hull(range_of(s->if_true, known), range_of(s->if_false, known));
  if (const auto* o = std::get_if<Operation>(&e->node)) return range_of_operation(*o, e->type, known);
  return all_of(e->type);
}

}  // namespace heddle::nest
