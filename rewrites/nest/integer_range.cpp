#include "rewrites/nest/integer_range.h"

#include <algorithm>
#include <array>

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

IntegerRange hull(const IntegerRange& a, const IntegerRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

int64_t rounded_down(int64_t x, int64_t by) { return x / by - (x % by < 0 ? 1 : 0); }

// None where an end has more than 64 bits.
std::optional<IntegerRange> sum(const IntegerRange& a, const IntegerRange& b) {
  IntegerRange r{};
  if (__builtin_add_overflow(a.low, b.low, &r.low) || __builtin_add_overflow(a.high, b.high, &r.high))
    return std::nullopt;
  return r;
}

std::optional<IntegerRange> difference(const IntegerRange& a, const IntegerRange& b) {
  IntegerRange r{};
  if (__builtin_sub_overflow(a.low, b.high, &r.low) || __builtin_sub_overflow(a.high, b.low, &r.high))
    return std::nullopt;
  return r;
}

std::optional<IntegerRange> product(const IntegerRange& a, const IntegerRange& b) {
  std::array<int64_t, 4> ends{};
  if (__builtin_mul_overflow(a.low, b.low, &ends[0]) || __builtin_mul_overflow(a.low, b.high, &ends[1]) ||
      __builtin_mul_overflow(a.high, b.low, &ends[2]) || __builtin_mul_overflow(a.high, b.high, &ends[3]))
    return std::nullopt;
  const auto [low, high] = std::ranges::minmax(ends);
  return IntegerRange{low, high};
}

// What comes out where nothing wraps around; nullopt where that is not known.
std::optional<IntegerRange> exact(Family family, const IntegerRange& a, const IntegerRange& b) {
  const bool signless = a.low >= 0 && b.low >= 0;
  const bool by_number = b.low == b.high && b.low > 0;
  switch (family) {
    case Family::Add:
    case Family::AddNw:
      return sum(a, b);
    case Family::Sub:
    case Family::SubNw:
      return difference(a, b);
    case Family::Mul:
    case Family::MulNw:
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

IntegerRange range_of_operation(const Operation& o, Type type, const KnownRange& known) {
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

std::optional<IntegerRange> range_of_name(const Expr& e, const IntegerRanges& known) {
  const auto* v = std::get_if<Var>(&e->node);
  auto it = v ? known.find(v->name) : known.end();
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

IntegerRange range_of(const Expr& e, const KnownRange& known) {
  if (const auto range = known(e)) return *range;
  if (const auto* c = std::get_if<Const>(&e->node)) return {c->value.i, c->value.i};
  if (const auto* s = std::get_if<Select>(&e->node))
    return hull(range_of(s->if_true, known), range_of(s->if_false, known));
  if (const auto* o = std::get_if<Operation>(&e->node)) return range_of_operation(*o, e->type, known);
  return all_of(e->type);
}

}  // namespace heddle::nest
